import { assert, date, property } from 'fast-check'
import { expect, test } from 'vitest'
import * as facts from '#facts/hours.ts'
import { exampleOffice } from '../../server/proof/testing/example-office.ts'
import { createPromiseClock, promiseClock } from '../promise-clock.ts'
import {
  formatOfficeHours,
  formatTimeInZone,
  type OfficeHours,
  officeStatus,
  weekDays,
  weekendExample,
} from './office-hours.ts'

const timeZone = 'America/New_York'

test.each<[OfficeHours, string]>([
  [{ days: ['Monday'], opens: '00:00', closes: '12:00', timeZone }, 'Mon 12am-12pm'],
  [{ days: ['Monday', 'Tuesday'], opens: '08:30', closes: '17:05', timeZone }, 'Mon-Tue 8:30am-5:05pm'],
  [
    {
      days: ['Monday', 'Wednesday', 'Thursday', 'Friday', 'Sunday'],
      opens: '09:00',
      closes: '17:00',
      timeZone,
    },
    'Mon, Wed-Fri, Sun 9am-5pm',
  ],
])('%o is formatted as "%s"', (office, text) => {
  expect(formatOfficeHours(office)).toBe(text)
})

test('a time and its zone stay on one line', () => {
  expect(formatTimeInZone('17:30', 'EST')).toBe('5:30pm\u00a0EST')
})

const { hours, closedOn, responseTimes } = exampleOffice

const at = (time: string) => new Date(`${time}Z`)

/** "open", or the day on which the office opens next: "2026-03-09, 3 away" means in three days. */
function statusAt(time: Date, change: Partial<OfficeHours> = {}, closed = closedOn) {
  const status = officeStatus({ hours: { ...hours, ...change }, closedOn: closed }, time)
  return (
    status && (status.isOpen ? 'open' : `${status.day.toISOString().slice(0, 10)}, ${status.daysAway} away`)
  )
}

// Times are in UTC. 2026-03-02 is a Monday in standard time; daylight saving time begins on March 8
// and ends on November 1.
test.each([
  ['at opening time', '2026-03-02T13:00', 'open'],
  ['after midnight in UTC only', '2026-03-03T02:00', '2026-03-03, 1 away'],
  ['on Sunday, when the clocks go forward', '2026-03-08T07:30', '2026-03-09, 1 away'],
  ['on Monday, after the clocks went back', '2026-11-02T12:59', '2026-11-02, 0 away'],
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

const week = (...days: number[]) => days.flatMap((day) => weekDays[day] ?? [])

test.each([
  [week(0, 1, 2, 3, 4), 1, 'Saturday', 'Monday'],
  [week(0, 1, 2, 3, 4), 3, 'Saturday', 'Wednesday'],
  [week(0, 1, 2, 3, 4, 5), 1, 'Sunday', 'Monday'],
  [week(1, 2, 3, 4, 5), 1, 'Sunday', 'Tuesday'],
  [week(0, 1, 3, 4, 5, 6), 1, 'Wednesday', 'Thursday'],
])(
  'if the office opens on %j and a quote takes %i workdays, a quote requested on %s is due on %s',
  (days, quoteWorkdays, asked, due) => {
    expect(weekendExample({ days }, { quoteWorkdays })).toEqual({ asked, due })
  },
)

test('there is no example if the office opens every day, or if a quote takes longer than a week', () => {
  expect(weekendExample({ days: weekDays }, { quoteWorkdays: 1 })).toBeUndefined()
  expect(weekendExample({ days: week(0, 1) }, { quoteWorkdays: 3 })).toBeUndefined()
})
