import { expect, test } from 'vitest'
import { answerTimes } from './times.ts'

const now = Date.parse('2026-03-04T15:00Z')

test.each([
  ['2026-03-03T15:00Z', ['Now', 'An hour ago', '4 hours ago', 'Yesterday']],
  ['2026-03-03T15:01Z', ['Now', 'An hour ago', '4 hours ago']],
  ['2026-03-04T14:30Z', ['Now']],
])('for a request of %s, the times of an answer are after it', (receivedAt, words) => {
  expect(answerTimes(receivedAt, now).map((time) => time.words)).toEqual(words)
})
