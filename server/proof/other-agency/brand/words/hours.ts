import { formatClockTime } from '#shared/office-hours.ts'
import { hours } from '../../facts/hours.ts'

export const openNow = `At our desks until ${formatClockTime(hours.closes)}`
export const opensNext = `Back {day}, ${formatClockTime(hours.opens)}`
