import { expect, test, vi } from 'vitest'
import { answerTimes, workday } from './times.ts'

const now = Date.parse('2026-03-04T15:00Z')

test.each([
  ['2026-03-03T15:00Z', ['Now', 'An hour ago', '4 hours ago', 'Yesterday']],
  ['2026-03-03T15:01Z', ['Now', 'An hour ago', '4 hours ago']],
  ['2026-03-04T14:30Z', ['Now']],
])('for a request of %s, the times of an answer are after it', (receivedAt, words) => {
  expect(answerTimes(receivedAt, now).map((time) => time.words)).toEqual(words)
})

test('in a time zone where it is already the next day, the next workday still counts from today at the office', () => {
  vi.stubEnv('TZ', 'Pacific/Auckland')
  expect(workday(now, 1)).toBe('2026-03-05')
  vi.unstubAllEnvs()
})
