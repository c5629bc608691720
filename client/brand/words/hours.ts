import { hours } from '#facts/hours.ts'
import { formatClockTime } from '#shared/office-hours.ts'

export const openNow = `Open now until ${formatClockTime(hours.closes)}`
/** The page replaces {day} with "Mon", or with "Jan 4" if that is more than six days away. */
export const opensNext = `Opens {day} ${formatClockTime(hours.opens)}`
