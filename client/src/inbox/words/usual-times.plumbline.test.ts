import { expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { createTimeZone } from '#shared/time/time-zone.ts'
import { followUpTimes } from './usual-times.ts'

/** The instant when clocks at the office show this time. */
const officeTime = (wall: string) => createTimeZone(hours.timeZone).fromWall(Date.parse(`${wall}Z`))
const isoTime = (wall: string) => new Date(officeTime(wall)).toISOString()

test.each([
  ['2026-03-04T09:00', 'This afternoon', '2026-03-04T14:00'],
  ['2026-03-04T12:45', 'This afternoon', '2026-03-04T14:00'],
  ['2026-03-04T13:30', 'This afternoon', '2026-03-04T16:00'],
  ['2026-03-04T16:30', 'In 2 hours', '2026-03-04T18:30'],
  ['2026-03-04T09:00', 'Tomorrow morning', '2026-03-05T08:00'],
  ['2026-03-06T17:00', 'Monday morning', '2026-03-09T08:00'],
  ['2026-03-07T09:00', 'In 3 days', '2026-03-10T08:00'],
  ['2026-03-07T09:00', 'In a week', '2026-03-16T08:00'],
])('at %s, a follow-up "%s" is at %s', (now, words, time) => {
  expect(followUpTimes(officeTime(now))).toContainEqual({ words, at: isoTime(time) })
})

test('no time of a follow-up is offered twice, or after the afternoon of a workday', () => {
  const words = (wall: string) => followUpTimes(officeTime(wall)).map((choice) => choice.words)

  expect(words('2026-03-06T17:00')).toEqual(['In 2 hours', 'Monday morning', 'In a week'])
  expect(words('2026-03-07T09:00')).toEqual(['In 2 hours', 'Monday morning', 'In 3 days', 'In a week'])
  const nearly = ['In 2 hours', 'Tomorrow morning', 'In 3 days', 'In a week']
  expect(words('2026-03-04T14:10')).toEqual(nearly)
})
