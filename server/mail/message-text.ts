import type { Quote } from '#shared/inbox/quotes.ts'
import type { StoredMessage } from '../database/schema.ts'

/** What stands for the text of a message that takes too long to read. */
export const UNREADABLE = 'This message cannot be shown here. You find it in your mailbox.'
/** The last line of a text if words of the message may be missing above it. */
export const CUT = 'More of this message is in your mailbox.'

/** A message's text with that line. */
export function addCut(text: string): string {
  if (text === UNREADABLE || text.endsWith(CUT)) return text
  return text === '' ? UNREADABLE : `${text}\n\n${CUT}`
}

/** A message's text without that line. */
export const withoutCut = (text: string): string =>
  text.endsWith(`\n\n${CUT}`) ? text.slice(0, -CUT.length).trimEnd() : text

/** What is quoted in a stored message. An earlier version stored one quotation, below the text. */
export const quotesIn = ({ quotes, quoted }: StoredMessage, text: string): Quote[] =>
  quotes ?? (quoted ? [{ at: text.length, text: quoted }] : [])

/**
 * A message's text without the lines that are quoted with `>`, with the line above them that names
 * somebody, and without those that are an erased person's. If anything is left out, also its quotations, the last line says so: something of it may be the sender's own.
 */
export function withoutQuotes(
  text: string,
  quotes: readonly Quote[],
  isErased: (line: string) => boolean,
): string {
  const lines = text.split('\n')
  const isQuoted = (line = '') => /^\s*>/.test(line)
  const introduces = (line: string, index: number) => /[:：]\s*$/u.test(line) && isQuoted(lines[index + 1])
  const kept = lines.filter((line, index) => !isQuoted(line) && !introduces(line, index) && !isErased(line))
  return kept.length === lines.length && quotes.length === 0 ? text : addCut(kept.join('\n').trim())
}
