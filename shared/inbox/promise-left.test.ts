import { expect, test } from 'vitest'
import { addOfficeMinutes, nextOpening, officeMinutesBetween } from '../promise-clock.ts'
import { promiseLeft } from './promise-left.ts'

const received = nextOpening(new Date('2026-03-04T15:00:00Z'))
const after = (minutes: number) => addOfficeMinutes(received, minutes)
const due = after(240)
const left = (now: Date, dueAt = due) => promiseLeft({ dueAt: dueAt.toISOString() }, now.getTime())

test.each([
  [0, '4 h left', 'calm', 1],
  [120, '2 h left', 'calm', 0.5],
  [121, '119 min left', 'calm', 119 / 240],
  [180, '60 min left', 'soon', 0.25],
  [239, '1 min left', 'soon', 1 / 240],
  [239.5, 'due now', 'soon', 0.5 / 240],
  [240, 'due now', 'soon', 0],
  [240.5, '1 min over', 'late', 0],
  [361, '2 h over', 'late', 0],
] as const)(
  '%d minutes after a request that is due in 240, a row says "%s"',
  (minutes, words, tone, share) => {
    expect(left(after(minutes))).toEqual({ words, tone, share })
  },
)

test('nights do not count', () => {
  const evening = new Date(received.getTime() + 12 * 3_600_000)
  const closing = officeMinutesBetween(received, evening)

  expect(left(after(closing + 10), after(closing - 30)).words).toBe('40 min over')
  expect(left(after(closing - 30), after(closing + 10)).words).toBe('40 min left')
})

test.each([
  [24, '1 day over'],
  [72, '3 days over'],
])('%i hours after it was due, it is "%s", also if the office was closed', (hours, words) => {
  expect(left(new Date(due.getTime() + hours * 3_600_000)).words).toBe(words)
})

test('by a clock that was set back, all of the time is left', () => {
  expect(left(new Date(received.getTime() - 60_000)).share).toBe(1)
  expect(left(received, received).share).toBe(0)
})
