import { InvalidArgumentError } from 'commander'
import { readReference } from '../leads/reference.ts'
import { parseSince } from './parse-since.ts'

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

/** A time to look back to. */
export function since(value: string): Date {
  const time = parseSince(value, new Date())
  if (time) return time
  throw new InvalidArgumentError(
    'Expected a day such as 2026-03-31, yesterday or monday, or a span such as 12h, 7d, 4w or "2 months".',
  )
}

/** A reference as people type it; what cannot be one stays as it is, to be named in the answer. */
export const reference = (value: string): string => readReference(value) ?? value.trim()

/** An address to look for: not checked further than that it can be one. */
export function address(value: string): string {
  const trimmed = value.trim()
  if (/^[^\s@]+@[^\s@]+$/.test(trimmed)) return trimmed
  throw new InvalidArgumentError('Expected an address like name@example.com.')
}
