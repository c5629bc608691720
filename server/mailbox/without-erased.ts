import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../database/schema.ts'
import { erasedSince } from '../leads/erase/erasures.ts'
import { aboveQuotation, withoutQuotes } from '../leads/messages/message-text.ts'
import { foundIn } from '../leads/search/found-in.ts'
import { addressesInText } from './addresses.ts'
import type { MailMessage } from './read-message.ts'
import type { Words } from './words.ts'

// More addresses than a text that is kept has room for.
const MAX_NAMED = 5_000

type IsNoOwner = (address: string) => boolean

/**
 * A message without the people who were erased after it came; undefined if it's from one of them.
 * After a restore, or if the mailbox was replaced, such a message is read again. `isWithoutErased`:
 * what it quotes may be theirs, whoever has sent it.
 */
export async function withoutErased(
  db: Database,
  message: MailMessage,
  isNoOwner: IsNoOwner,
): Promise<(MailMessage & { isWithoutErased?: boolean }) | undefined> {
  const { receivedAt, from, originals, replyTo, to } = message
  if (!receivedAt) return message
  const people = [from, ...originals, ...replyTo, ...to].filter(isNoOwner)
  const erased = await erasedSince(db, people, receivedAt)
  if (!erased) return message
  const isKept = (address: string) => !erased.has(address)
  if (![from, ...originals].every(isKept)) return undefined
  return { ...message, replyTo: replyTo.filter(isKept), to: to.filter(isKept), isWithoutErased: true }
}

/** Words without what may be quoted of people who were erased after they came. */
export async function wordsOfOthers(
  db: Database,
  words: Words,
  receivedAt: string,
  isNoOwner: IsNoOwner,
): Promise<Words> {
  const lines = words.written.split('\n')
  const named = new Map(lines.map((line) => [line, addressesInText(line, MAX_NAMED)]))
  // Both take some milliseconds if the text is full of addresses.
  await nextTurn()
  const people = new Set([...named.values()].flat())
  const erased = await erasedSince(db, [...people].filter(isNoOwner), receivedAt)
  const isErased = (line: string) => (named.get(line) ?? []).some((address) => erased?.has(address))
  const written = withoutQuotes(aboveQuotation(words.written, isErased), words.quotes, isErased)
  return { ...words, written, quotes: [], found: foundIn(written) }
}
