import { hours } from '#facts/hours.ts'
import { english } from './computed-facts.ts'
import { createTimeZone, DAY_MS, isDay, startOfDay, weekDayOf } from './time/time-zone.ts'

/** Converts between instants and the office's local time. */
export const officeClock = createTimeZone(hours.timeZone)

// The Swedish locale, because it writes dates in ISO 8601 format.
const local = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: hours.timeZone,
})
const zone = new Intl.DateTimeFormat(english, { timeZone: hours.timeZone, timeZoneName: 'short' })

/** The local time at the office: "2026-03-02 10:00:00". */
export const officeTime = (time: Date | string): string => local.format(new Date(time))

/**
 * The date at the office ("2026-03-02"), or that of so many days later, whether or not the office
 * is open then.
 */
export const officeDay = (time: Date, daysLater = 0): string =>
  formatDay(startOfDay(officeClock.toWall(time.getTime())) + daysLater * DAY_MS)

/**
 * The Monday of the week that contains `time`, in the office's time zone, or of a week `weeksBack`
 * weeks earlier.
 */
export const mondayOf = (time: Date, weeksBack: number): string =>
  officeDay(time, -weekDayOf(officeClock.toWall(time.getTime())) - 7 * weeksBack)

const formatDay = (wall: number) => new Date(wall).toISOString().slice(0, 10)

/** The office's time zone at that time: "EST" or "EDT". */
export const officeZone = (time: Date | string): string =>
  zone.formatToParts(new Date(time)).find(({ type }) => type === 'timeZoneName')?.value ?? ''

/** When a day ("2026-03-02") begins at the office; an invalid date if there is no such day. */
export const startOfOfficeDay = (day: string): Date =>
  new Date(isDay(day) ? officeClock.fromWall(Date.parse(day)) : Number.NaN)

/** When the office opens on a day ("2026-03-02"), or would open if it weren't closed that day. */
export const openingOn = (day: string): Date =>
  new Date(officeClock.fromWall(Date.parse(`${day}T${hours.opens}Z`)))
