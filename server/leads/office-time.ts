import { Temporal } from 'temporal-polyfill'
import { hours } from '#shared/business.ts'

// Sweden writes dates as ISO 8601 does.
const local = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: hours.timeZone,
})
const zone = new Intl.DateTimeFormat('en-US', { timeZone: hours.timeZone, timeZoneName: 'short' })

/** A time on the clock of the office, to the second: "2026-03-02 10:00:00". */
export const officeTime = (time: Date | string): string => local.format(new Date(time))

/** What that clock is called at the time: "EST" or "EDT". */
export const officeZone = (time: Date | string): string =>
  zone.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** When a day ("2026-03-02") begins in the office; an invalid date where there is no such day. */
export function startOfOfficeDay(day: string): Date {
  try {
    return new Date(Temporal.PlainDate.from(day).toZonedDateTime(hours.timeZone).epochMilliseconds)
  } catch {
    return new Date(Number.NaN)
  }
}
