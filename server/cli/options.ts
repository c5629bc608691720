import { InvalidArgumentError } from 'commander'
import { startOfOfficeDay } from '../leads/office-time.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const spanMs: Record<string, number> = { h: DAY_MS / 24, d: DAY_MS, w: 7 * DAY_MS }

/** A number such as `--limit` takes. */
export function wholeNumber(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Expected a whole number above 0.')
}

const MOST_WEEKS = 520

/** As many weeks as a chart can show: ten years of them. */
export function weekCount(value: string): number {
  const weeks = wholeNumber(value)
  if (weeks <= MOST_WEEKS) return weeks
  throw new InvalidArgumentError(`Expected ${MOST_WEEKS} at most.`)
}

/** A day of the office's calendar ("2026-03-02"), or a span back from now ("12h", "7d", "4w"). */
export function since(value: string): Date {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(value) ?? []
  if (count) return new Date(Date.now() - Number(count) * (spanMs[unit] ?? 0))
  const day = /^\d{4}-\d\d-\d\d$/.test(value) ? startOfOfficeDay(value) : new Date(Number.NaN)
  if (!Number.isNaN(day.getTime())) return day
  throw new InvalidArgumentError('Expected a day such as 2026-03-31, or a span such as 12h, 7d or 4w.')
}

/** A reference as people type it. */
export const reference = (value: string): string => value.trim().toUpperCase()

/** An address to look for: not checked further than that it can be one. */
export function address(value: string): string {
  const trimmed = value.trim()
  if (/^[^\s@]+@[^\s@]+$/.test(trimmed)) return trimmed
  throw new InvalidArgumentError('Expected an address like name@example.com.')
}
