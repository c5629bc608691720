import { formatTimeInZone } from '#shared/office-hours.ts'
import { hours } from '../../facts/hours.ts'

export const openNow = `Here until ${formatTimeInZone(hours.closes, hours.zone)}`
export const opensNext = `Back {day}, ${formatTimeInZone(hours.opens, hours.zone)}`
