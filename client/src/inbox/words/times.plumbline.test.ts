import { expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { createTimeZone } from '#shared/time/time-zone.ts'
import { callAgainTimes, followUpTimes } from './times.ts'

/** The instant when clocks at the office show this time. */
const officeTime = (wall: string) => createTimeZone(hours.timeZone).fromWall(Date.parse(`${wall}Z`))
const isoTime = (wall: string) => new Date(officeTime(wall)).toISOString()

test.each([
  ['2026-03-04T09:00', ['2026-03-04T11:00', '2026-03-04T14:00', '2026-03-05T08:00']],
  ['2026-03-04T12:00', ['2026-03-04T14:00', '2026-03-05T08:00']],
  ['2026-03-04T15:00', ['2026-03-04T17:00', '2026-03-04T16:00', '2026-03-05T08:00']],
  ['2026-03-04T15:31', ['2026-03-04T17:31', '2026-03-05T08:00']],
  ['2026-03-06T17:00', ['2026-03-06T19:00', '2026-03-09T08:00']],
])('after a call at %s, the times to try again are %j', (now, times) => {
  expect(callAgainTimes(officeTime(now)).map(({ at }) => at)).toEqual(times.map(isoTime))
})

test.each([
  ['2026-03-04T09:00', 'This afternoon', '2026-03-04T14:00'],
  ['2026-03-04T09:00', 'Tomorrow morning', '2026-03-05T08:00'],
  ['2026-03-06T17:00', 'Monday morning', '2026-03-09T08:00'],
  ['2026-03-07T09:00', 'In 3 days', '2026-03-10T08:00'],
  ['2026-03-07T09:00', 'In a week', '2026-03-16T08:00'],
])('at %s, a follow-up "%s" is at %s', (now, words, time) => {
  expect(followUpTimes(officeTime(now))).toContainEqual({ words, at: isoTime(time) })
})

test('of two names for the same time of a follow-up, only one is offered', () => {
  const words = followUpTimes(officeTime('2026-03-06T17:00')).map((choice) => choice.words)

  expect(words).toEqual(['Monday morning', 'In a week'])
})
