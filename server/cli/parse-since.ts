import { Temporal } from 'temporal-polyfill'
import { weekDays } from '#shared/promised-times.ts'
import { office } from '../leads/office-hours.ts'

const units = { h: 'hours', d: 'days', w: 'weeks', m: 'months' } as const

/**
 * Parses a time in the office's time zone: the start of a day ("2026-03-31", "today", "yesterday", "monday") or a
 * span back from now ("12h", "7d", "2 weeks ago"). Undefined if invalid.
 */
export function parseSince(text: string, now: Date): Date | undefined {
  const words = text.trim().toLowerCase()
  const [, count, unit] = /^(\d{1,4}) ?(h|d|w|m)(?:(?:ou|ay|eek|onth)?r?s?(?: ago)?)$/.exec(words) ?? []
  const local = office.toOfficeTime(now)
  const since = count
    ? local.subtract({ [units[unit as keyof typeof units]]: Number(count) })
    : dayNamed(words, local.toPlainDate())?.toZonedDateTime(local.timeZoneId)
  return since && new Date(since.epochMilliseconds)
}

function dayNamed(words: string, today: Temporal.PlainDate): Temporal.PlainDate | undefined {
  if (words === 'today') return today
  if (words === 'yesterday') return today.subtract({ days: 1 })
  const weekDay = weekDays.findIndex((day) =>
    [day.toLowerCase(), day.slice(0, 3).toLowerCase()].includes(words),
  )
  // The most recent one, including today.
  if (weekDay >= 0) return today.subtract({ days: (today.dayOfWeek - weekDay - 1 + 7) % 7 })
  try {
    return /^\d{4}-\d\d-\d\d$/.test(words) ? Temporal.PlainDate.from(words) : undefined
  } catch {
    return undefined
  }
}
