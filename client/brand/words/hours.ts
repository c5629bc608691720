import { hours } from '#facts/hours.ts'
import { formatClockTime } from '#shared/office-hours.ts'

export const openNow = `Open now until ${formatClockTime(hours.closes)}`
/** The page replaces {day} with a weekday ("Mon") or, if that day is more than six days away, with a date ("Jan 4"). */
export const opensNext = `Opens {day} ${formatClockTime(hours.opens)}`
