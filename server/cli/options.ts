import { InvalidArgumentError } from 'commander'
import { replaceSteering } from '#shared/steering-characters.ts'
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

/** A reference as people type it, or an address; what is neither stays as it is, to be named in the answer. */
export function reference(value: string): string {
  const bare = bareAddress(value)
  return readReference(bare) ?? bare
}

/** An address to look for: not checked further than that it can be one. */
export function address(value: string): string {
  const bare = bareAddress(value)
  if (/^[^\s@<>,;:"()]+@[^\s@<>,;:"'()]*[^\s@<>,;:"'().]$/.test(bare)) return bare
  throw new InvalidArgumentError('Expected an address like name@example.com.')
}

/** The address in what mail programs copy: `Ada <ada@example.com>`, `mailto:ada@example.com`. */
function bareAddress(value: string): string {
  const text = replaceSteering(value, () => '').trim()
  const inBrackets = /^(?:"[^"]*"|[^"<>]*)\s*<([^<>]*)>[,;]?$/.exec(text)?.[1] ?? text
  const [, linked] = /^mailto:([^?]*)/i.exec(inBrackets) ?? []
  return linked ? decode(linked) : inBrackets.trim()
}

function decode(linked: string): string {
  try {
    return decodeURIComponent(linked)
  } catch {
    throw new InvalidArgumentError('Expected an address like name@example.com.')
  }
}
