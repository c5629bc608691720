import { Temporal } from 'temporal-polyfill'
import { hours } from '#shared/business.ts'

const DAY_MS = 24 * 60 * 60 * 1000

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

/** The day at the office: "2026-03-02". */
export const officeDay = (time: Date): string => officeTime(time).slice(0, 10)

/** "2026-03-02" -> "2026-03-03". */
export const nextDay = (day: string): string => daysLater(day, 1)

/** The Monday `weeksBack` weeks before the current week's, at the office. */
export function mondayOf(now: Date, weeksBack = 0): string {
  const today = officeDay(now)
  const sinceMonday = (new Date(today).getUTCDay() + 6) % 7
  return daysLater(today, -sinceMonday - 7 * weeksBack)
}

const daysLater = (day: string, count: number) =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10)

/** "Monday, March 2 at 10:00 AM EST". */
export const officeTimeInWords = (time: Date | number): string => inWords.format(time)

/** The office's time zone at that time: "EST" or "EDT". */
export const officeZone = (time: Date | string): string =>
  zone.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** When a day ("2026-03-02") begins at the office; an invalid date if there is no such day. */
export function startOfOfficeDay(day: string): Date {
  try {
    return new Date(Temporal.PlainDate.from(day).toZonedDateTime(hours.timeZone).epochMilliseconds)
  } catch {
    return new Date(Number.NaN)
  }
}
