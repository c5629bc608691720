import { Temporal } from 'temporal-polyfill'
import { hours } from '#shared/business.ts'

// Sweden uses ISO 8601 dates.
const local = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: hours.timeZone,
})
const inWords = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  timeZone: hours.timeZone,
  timeZoneName: 'short',
})
const zone = new Intl.DateTimeFormat('en-US', { timeZone: hours.timeZone, timeZoneName: 'short' })

/** The local time at the office: "2026-03-02 10:00:00". */
export const officeTime = (time: Date | string): string => local.format(new Date(time))

/** "Monday, March 2 at 10:00 AM EST". */
export const officeTimeInWords = (time: Date | number): string => inWords.format(time)

/** The office's time zone at that time: "EST" or "EDT". */
export const officeZone = (time: Date | string): string =>
  zone.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** The time when a day ("2026-03-02") begins at the office; an invalid date if the day doesn't exist. */
export function startOfOfficeDay(day: string): Date {
  try {
    return new Date(Temporal.PlainDate.from(day).toZonedDateTime(hours.timeZone).epochMilliseconds)
  } catch {
    return new Date(Number.NaN)
  }
}
