import { InvalidArgumentError } from 'commander'
import { replaceInvisible } from '#shared/invisible-characters.ts'
import { readReference } from '../leads/reference.ts'
import { parseSince } from './parse-since.ts'

export function wholeNumber(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Expected a whole number above 0.')
}

export function since(value: string): Date {
  const time = parseSince(value, new Date())
  if (time) return time
  throw new InvalidArgumentError(
    'Expected a day such as 2026-03-31, yesterday or monday, or a time span such as 12h, 7d, 4w or "2 months".',
  )
}

/** Parses a reference in the forms that people type. Returns other text trimmed. */
export function reference(value: string): string {
  const text = replaceInvisible(value, () => '').trim()
  return readReference(text) ?? text
}

/** Parses an email address, with only a loose check. */
export function address(value: string): string {
  const bare = bareAddress(value)
  if (/^[^\s@<>,;:"()]+@[^\s@<>,;:"'()]*[^\s@<>,;:"'().]$/.test(bare)) return bare
  throw new InvalidArgumentError('Expected an email address like name@example.com.')
}

/** Extracts the address from `Ada <ada@example.com>` or `mailto:ada@example.com`, as copied from email programs. */
function bareAddress(value: string): string {
  const text = replaceInvisible(value, () => '').trim()
  const inBrackets = /^(?:"[^"]*"|[^"<>]*)\s*<([^<>]*)>[,;]?$/.exec(text)?.[1] ?? text
  const [, linked] = /^mailto:([^?]*)/i.exec(inBrackets) ?? []
  return linked ? decode(linked) : inBrackets.trim()
}

function decode(linked: string): string {
  try {
    return decodeURIComponent(linked)
  } catch {
    throw new InvalidArgumentError('Expected an email address like name@example.com.')
  }
}
