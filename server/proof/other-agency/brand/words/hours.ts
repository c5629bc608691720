import { formatClockTime } from '#shared/office-hours.ts'
import { hours } from '../../facts/hours.ts'

export const openNow = `Here until ${formatClockTime(hours.closes)} ${hours.zone}`
export const opensNext = `Back {day}, ${formatClockTime(hours.opens)} ${hours.zone}`
