import { hours } from '#facts/hours.ts'
import { formatTimeInZone } from '#shared/time/office-hours.ts'

// The times are the office's, so they need its time zone.
export const openNow = `Open until ${formatTimeInZone(hours.closes, hours.zone)}`
/**
 * The page replaces {day} with a weekday ("Mon") or, if that day is more than six days away, with a
 * date ("Jan 4").
 */
export const opensNext = `Opens {day} ${formatTimeInZone(hours.opens, hours.zone)}`
