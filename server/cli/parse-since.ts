import { weekDays } from '#shared/office-hours.ts'
import { DAY_MS, isDay, startOfDay, weekDayOf } from '#shared/time-zone.ts'
import { officeClock } from '../leads/office-time.ts'

const HOUR_MS = 60 * 60 * 1000

/**
 * Parses a time in the office's time zone: the start of a day ("2026-03-31", "today", "yesterday", "monday") or a
 * span back from now ("12h", "7d", "2 weeks ago"). Returns undefined if the text is invalid.
 */
export function parseSince(text: string, now: Date): Date | undefined {
  const words = text.trim().toLowerCase()
  const [, count, unit] = /^(\d{1,4}) ?(h|d|w|m)(?:(?:ou|ay|eek|onth)?r?s?(?: ago)?)$/.exec(words) ?? []
  if (unit === 'h') return new Date(now.getTime() - Number(count) * HOUR_MS)
  const local = officeClock.toWall(now.getTime())
  const since = count ? goBack(local, Number(count), unit) : dayNamed(words, startOfDay(local))
  return since === undefined ? undefined : new Date(officeClock.fromWall(since))
}

function goBack(local: number, count: number, unit = 'd'): number {
  if (unit !== 'm') return local - count * (unit === 'w' ? 7 : 1) * DAY_MS
  const date = new Date(local)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() - count)
  // March 31 minus one month is the last day of February.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

function dayNamed(words: string, today: number): number | undefined {
  if (words === 'today') return today
  if (words === 'yesterday') return today - DAY_MS
  const weekDay = weekDays.findIndex((day) =>
    [day.toLowerCase(), day.slice(0, 3).toLowerCase()].includes(words),
  )
  // The most recent day with this name, which can be today.
  if (weekDay >= 0) return today - ((weekDayOf(today) - weekDay + 7) % 7) * DAY_MS
  return isDay(words) ? Date.parse(words) : undefined
}
