import { assert, date, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { exampleOffice } from '../server/proof/testing/example-office.ts'
import { createPromiseClock } from './promise-clock.ts'
import type { OfficeHours } from './time/office-hours.ts'

const { hours, closedOn, responseTimes } = exampleOffice
// Times are in UTC. 2026-03-02 is a Monday in standard time; daylight saving time begins on Sunday,
// March 8.
const { nextOpening, openSince, replyDueAt, quoteDueAt, addOfficeMinutes, officeMinutesBetween } =
  createPromiseClock(exampleOffice)
const at = (time: string) => new Date(`${time}Z`)
const minutes = (time: Date) => time.toISOString().slice(0, 16)
const clockOf = (change: Partial<OfficeHours>, times = responseTimes) =>
  createPromiseClock({ hours: { ...hours, ...change }, closedOn, responseTimes: times })

test.each([
  ['during office hours', '2026-03-02T15:30', '2026-03-02T15:30'],
  ['before opening', '2026-03-02T11:00', '2026-03-02T13:00'],
  ['at closing time', '2026-03-02T23:00', '2026-03-03T13:00'],
  ['on Friday evening', '2026-03-06T23:30', '2026-03-09T12:00'],
  ['on a holiday before a weekend', '2026-07-03T15:00', '2026-07-06T12:00'],
])('%s (%s), the office next opens at %s', (_what, time, expected) => {
  expect(minutes(nextOpening(at(time)))).toBe(expected)
})

test.each([
  ['in the morning', '2026-03-02T15:00', '2026-03-02T19:00'],
  ['less than four hours before closing', '2026-03-02T19:01', '2026-03-03T13:01'],
  ['four hours before closing', '2026-03-02T19:00', '2026-03-02T23:00'],
  ['at night', '2026-03-03T05:00', '2026-03-03T17:00'],
  ['on Friday afternoon, before the clocks change', '2026-03-06T22:00', '2026-03-09T15:00'],
  ['before Thanksgiving', '2026-11-25T22:00', '2026-11-27T16:00'],
])('a reply to a request received %s (%s) is due at %s', (_what, time, expected) => {
  expect(minutes(replyDueAt(at(time)))).toBe(expected)
})

test.each([
  ['during office hours', '2026-03-02T15:07', '2026-03-03T15:07'],
  ['before opening', '2026-03-02T12:59', '2026-03-02T23:00'],
  ['at opening time', '2026-03-02T13:00', '2026-03-03T13:00'],
  ['at closing time', '2026-03-02T23:00', '2026-03-03T23:00'],
  ['on Friday, before the clocks change', '2026-03-06T22:00', '2026-03-09T21:00'],
  ['before Thanksgiving', '2026-11-25T22:00', '2026-11-27T22:00'],
  ['on Thanksgiving', '2026-11-26T15:00', '2026-11-27T23:00'],
])('the quote for a request received %s (%s) is due at %s', (_what, time, expected) => {
  expect(minutes(quoteDueAt(at(time)))).toBe(expected)
})

test.each([
  [1, '2026-03-02T15:00', '2026-03-03T15:00'],
  [3, '2026-03-05T15:00', '2026-03-10T14:00'],
  [3, '2026-03-07T15:00', '2026-03-11T22:00'],
])('a quote promised in %i workdays, requested at %s, is due at %s', (quoteWorkdays, time, expected) => {
  const clock = clockOf({}, { ...responseTimes, quoteWorkdays })

  expect(minutes(clock.quoteDueAt(at(time)))).toBe(expected)
})

test.each([
  ['at opening time', '2026-03-02T13:00', '2026-03-02T13:00'],
  ['at closing time', '2026-03-02T23:00', undefined],
  ['before opening', '2026-03-03T12:59', undefined],
])('%s (%s), openSince returns %s', (_what, time, opened) => {
  expect(openSince(at(time))).toEqual(opened && at(opened))
})

test('if the office never opens or the date is invalid, the clock throws an error instead of searching forever', () => {
  expect(() => clockOf({ days: [] }).replyDueAt(at('2026-03-02T15:00'))).toThrow('never open')
  expect(() => replyDueAt(new Date(Number.NaN))).toThrow(RangeError)
})

const anyTime = date({ min: at('2026-01-01T00:00'), max: at('2027-12-01T00:00'), noInvalidDate: true })

test('an office can be closed for weeks', () => {
  const days = Array.from({ length: 21 }, (_, day) => `2026-03-${String(day + 1).padStart(2, '0')}`)
  const clock = createPromiseClock({ ...exampleOffice, closedOn: days })

  expect(minutes(clock.nextOpening(at('2026-03-01T15:00')))).toBe('2026-03-23T12:00')
})

test('from a time to an earlier one, there are no minutes', () => {
  expect(officeMinutesBetween(at('2026-03-02T16:00'), at('2026-03-02T15:00'))).toBe(0)
})

test('addOfficeMinutes and officeMinutesBetween agree with each other', () => {
  assert(
    property(anyTime, integer({ min: 1, max: 5000 }), (time, count) => {
      expect(officeMinutesBetween(time, addOfficeMinutes(time, count))).toBe(count)
    }),
  )
})
