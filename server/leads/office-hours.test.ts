import { expect, test } from 'vitest'
import type { OfficeHours, ResponseTime } from '#shared/promised-times.ts'
import { createOffice } from './office-hours.ts'

// 2026-03-02 is a Monday in standard time; daylight saving time begins on Sunday, March 8.
const { toOfficeTime, nextOpen, deadline } = createOffice({
  days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
  opens: '08:00',
  closes: '18:00',
  timeZone: 'America/New_York',
})
const at = (time: string) => toOfficeTime(new Date(time))
const iso = ({ epochMilliseconds }: { epochMilliseconds: number }) =>
  new Date(epochMilliseconds).toISOString().slice(0, 16)

test.each([
  ['in office hours', '2026-03-02T15:30Z', '2026-03-02T15:30'],
  ['before opening', '2026-03-02T11:00Z', '2026-03-02T13:00'],
  ['at closing', '2026-03-02T23:00Z', '2026-03-03T13:00'],
  ['on Friday evening', '2026-03-06T23:30Z', '2026-03-09T12:00'],
  ['on Sunday, when the clocks change', '2026-03-08T06:59Z', '2026-03-09T12:00'],
])('%s, the office is next open at', (_what, time, expected) => {
  expect(iso(nextOpen(at(time)))).toBe(expected)
})

test.each([
  ['within a day', '2026-03-02T15:00Z', 4, '2026-03-02T19:00'],
  ['until closing time', '2026-03-02T19:00Z', 4, '2026-03-02T23:00'],
  ['overnight', '2026-03-02T21:30Z', 4, '2026-03-03T15:30'],
  ['over a weekend into daylight saving time', '2026-03-06T22:00Z', 4, '2026-03-09T15:00'],
  ['over several days', '2026-03-02T13:00Z', 25, '2026-03-04T18:00'],
])('counts office hours %s', (_what, time, count, expected) => {
  expect(iso(deadline(at(time), { amount: count, unit: 'office hour' }))).toBe(expected)
})

test.each<[string, string, ResponseTime, string]>([
  ['hours', '2026-03-06T22:00Z', { amount: 24, unit: 'hour' }, '2026-03-07T22:00'],
  ['a working day', '2026-03-02T15:00Z', { amount: 1, unit: 'working day' }, '2026-03-03T23:00'],
  [
    'working days over a weekend',
    '2026-03-06T22:00Z',
    { amount: 2, unit: 'working day' },
    '2026-03-10T22:00',
  ],
  ['working days from a Sunday', '2026-03-08T22:00Z', { amount: 1, unit: 'working day' }, '2026-03-09T22:00'],
])('calculates the deadline for %s', (_what, time, promised, expected) => {
  expect(iso(deadline(at(time), promised))).toBe(expected)
})

const weekend: OfficeHours = {
  days: ['Sunday'],
  opens: '08:00',
  closes: '18:00',
  timeZone: 'Europe/Berlin',
}

test.each<object>([
  { days: [] },
  { days: ['Sun'] },
  { opens: '18:00' },
  { closes: '25:00' },
  { timeZone: 'Berlin' },
])('rejects an office with %o', (change) => {
  expect(() => createOffice({ ...weekend, ...change })).toThrow(/^shared\/business\.ts: /)
})
