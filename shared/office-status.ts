import { type OfficeFacts, weekDays } from './office-hours.ts'
import { DAY_MS } from './time-zone.ts'

const MAX_DAYS = 366

/**
 * Whether the office is open, and if not, the day on which it opens next (as midnight UTC) and how many days away that is;
 * undefined if it doesn't open within a year. The page uses this function because promise-clock.ts is larger. It is wrong
 * only if clocks are turned back past the opening time: then the office seems closed until they show that time again.
 */
export function officeStatus({ hours, closedOn }: Pick<OfficeFacts, 'hours' | 'closedOn'>, now: Date) {
  // Swedish dates are in ISO 8601 format.
  const [today = '', time = ''] = now.toLocaleString('sv-SE', { timeZone: hours.timeZone }).split(' ')
  for (let daysAway = time < hours.closes ? 0 : 1; daysAway < MAX_DAYS; daysAway++) {
    const day = new Date(Date.parse(today) + daysAway * DAY_MS)
    // `getUTCDay` returns 0 for Sunday, which comes last in `weekDays`.
    const isWorkday = hours.days.some((name) => name === weekDays.at(day.getUTCDay() - 1))
    if (isWorkday && !closedOn.includes(day.toISOString().slice(0, 10)))
      return { isOpen: daysAway === 0 && time >= hours.opens, day, daysAway }
  }
  return undefined
}
