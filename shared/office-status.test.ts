import { assert, date, property } from 'fast-check'
import { expect, test } from 'vitest'
import * as facts from '#facts/hours.ts'
import { exampleOffice } from './example-office.ts'
import type { OfficeHours } from './office-hours.ts'
import { officeStatus } from './office-hours.ts'
import { createPromiseClock, promiseClock } from './promise-clock.ts'

const { hours, closedOn, responseTimes } = exampleOffice
const at = (time: string) => new Date(`${time}Z`)

/** "open", or the day on which the office opens next: "2026-03-09, 3 away" means in three days. */
function statusAt(time: Date, change: Partial<OfficeHours> = {}, closed = closedOn) {
  const status = officeStatus({ hours: { ...hours, ...change }, closedOn: closed }, time)
  return (
    status && (status.isOpen ? 'open' : `${status.day.toISOString().slice(0, 10)}, ${status.daysAway} away`)
  )
}

// Times are in UTC. 2026-03-02 is a Monday in standard time; daylight saving time begins on March 8 and ends on November 1.
test.each([
  ['before opening', '2026-03-02T12:59:59', '2026-03-02, 0 away'],
  ['at opening time', '2026-03-02T13:00', 'open'],
  ['at closing time', '2026-03-02T23:00', '2026-03-03, 1 away'],
  ['after midnight in UTC only', '2026-03-03T02:00', '2026-03-03, 1 away'],
  ['on Friday evening', '2026-03-06T23:30', '2026-03-09, 3 away'],
  ['on Sunday, when the clocks go forward', '2026-03-08T07:30', '2026-03-09, 1 away'],
  ['on Monday, after the clocks went back', '2026-11-02T12:59', '2026-11-02, 0 away'],
  ['on a holiday before a weekend', '2026-07-03T15:00', '2026-07-06, 3 away'],
  ['before a long weekend that ends in the new year', '2027-12-30T23:00', '2028-01-03, 4 away'],
])('%s (%s), the status is "%s"', (_what, time, expected) => {
  expect(statusAt(at(time))).toBe(expected)
})

const anyTime = date({ min: at('2026-01-01T00:00'), max: at('2027-12-01T00:00'), noInvalidDate: true })
const early = { ...hours, opens: '05:30', closes: '23:15', timeZone: 'Europe/Berlin' } as const

test.each([
  ['our office', promiseClock, facts],
  [
    'an office in Europe',
    createPromiseClock({ hours: early, closedOn, responseTimes }),
    { hours: early, closedOn },
  ],
])('the status of %s always agrees with its promise clock', (_what, clock, office) => {
  assert(
    property(anyTime, (time) => {
      const { timeZone } = office.hours
      const opening = clock.nextOpening(time).toLocaleDateString('sv-SE', { timeZone })

      expect(statusAt(time, office.hours, office.closedOn)).toMatch(clock.openSince(time) ? 'open' : opening)
    }),
  )
})
