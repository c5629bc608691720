import { expect, test } from 'vitest'
import { addOfficeHours, inOffice, nextOpen } from './office-hours.ts'

// 2026-03-02 is a Monday, in winter time; summer time begins on Sunday, March 8.
const at = (time: string) => inOffice(new Date(time))
const iso = ({ epochMilliseconds }: { epochMilliseconds: number }) =>
  new Date(epochMilliseconds).toISOString().slice(0, 16)

test.each([
  ['in office hours', '2026-03-02T15:30Z', '2026-03-02T15:30'],
  ['before opening', '2026-03-02T11:00Z', '2026-03-02T13:00'],
  ['at closing', '2026-03-02T23:00Z', '2026-03-03T13:00'],
  ['on Friday evening', '2026-03-06T23:30Z', '2026-03-09T12:00'],
  ['on Sunday, when the clocks change', '2026-03-08T06:59Z', '2026-03-09T12:00'],
])('%s, the office opens next at', (_what, time, expected) => {
  expect(iso(nextOpen(at(time)))).toBe(expected)
})

test.each([
  ['within a day', '2026-03-02T15:00Z', 4, '2026-03-02T19:00'],
  ['to the minute of closing', '2026-03-02T19:00Z', 4, '2026-03-02T23:00'],
  ['over night', '2026-03-02T21:30Z', 4, '2026-03-03T15:30'],
  ['over a weekend and into summer time', '2026-03-06T22:00Z', 4, '2026-03-09T15:00'],
  ['over several days', '2026-03-02T13:00Z', 25, '2026-03-04T18:00'],
])('office hours are counted %s', (_what, time, count, expected) => {
  expect(iso(addOfficeHours(at(time), count))).toBe(expected)
})
