import { expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { answerTimes, followUpTimes } from './usual-times.ts'

const now = Date.parse('2026-03-04T15:00Z')

test('on a follow-up day, the office opens at its usual time', () => {
  const [hour = '', minute] = hours.opens.split(':')
  const chosen = followUpTimes(now).find(({ words }) => words === 'In a week')
  const time = new Date(chosen?.at ?? '').toLocaleTimeString('en-US', { timeZone: hours.timeZone })

  expect(time).toMatch(new RegExp(`^${Number(hour) % 12 || 12}:${minute}\\b`))
})

test.each([
  ['2026-03-03T15:00Z', ['Now', 'An hour ago', '4 hours ago', 'Yesterday']],
  ['2026-03-03T15:01Z', ['Now', 'An hour ago', '4 hours ago']],
  ['2026-03-04T14:30Z', ['Now']],
])('for a request of %s, the times of an answer are after it', (receivedAt, words) => {
  expect(answerTimes(receivedAt, now).map((time) => time.words)).toEqual(words)
})
