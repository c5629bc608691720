import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { digitsOf, fold, foldSpellings } from '#shared/text/fold.ts'
import type { LeadFields, Schema } from '../../database/schema.ts'

/** Fewer digits are no number that somebody would search for. */
export const MIN_DIGITS = 4

// A phone number is found by its digits, and the message by the beginnings of its words.
const columns = contactFieldNames.flatMap((field) =>
  field === 'phone' || field === 'budget' || field === 'message' ? [] : [contactFields[field].column],
)

/** The fields of a lead that are searched. */
export type Searchable = Omit<LeadFields, 'budget'> & { reference: string }

/**
 * What a lead is found by: the folded words of its fields and its history, each after a space. A
 * search finds any part of a word in `parts` (names, addresses and numbers), but only the beginning
 * of an English word in `words` (what people wrote).
 */
export type SearchText = Omit<Schema['lead_texts'], 'lead_id'>

/** `said`: what has been written since. `senders`: the addresses from which messages came. */
export function searchTextOf(lead: Searchable, said = '', senders: readonly string[] = []): SearchText {
  const names = [...columns.map((column) => lead[column]), ...senders]
  const phone = fold(lead.phone)
  const texts = foundIn(`${lead.message} | ${said}`)
  return {
    parts: join([
      ...foldSpellings(names.join(' ')).flatMap(joinedOrNot),
      digitsOf(phone),
      ...texts.parts.split(' '),
      fold(lead.reference).replaceAll('-', ''),
    ]),
    // A phone number can contain words, such as "extension".
    words: join([...texts.words.split(' '), ...wordsOf(phone)]),
  }
}

/** What a text that somebody wrote is found by. Takes some milliseconds for a long one. */
export function foundIn(text: string): SearchText {
  const spellings = foldSpellings(text)
  const [folded = ''] = spellings
  return { parts: join(numbersIn(folded)), words: join(spellings.flatMap(joinedOrNot)) }
}

/**
 * Adds what a message is found by to what its lead is found by. `sender`: the address it came from.
 */
export const addFound = (lead: SearchText, message: SearchText, sender: string): SearchText => ({
  parts: join([
    ...lead.parts.split(' '),
    ...message.parts.split(' '),
    ...foldSpellings(sender).flatMap(joinedOrNot),
  ]),
  words: join([...lead.words.split(' '), ...message.words.split(' ')]),
})

const join = (words: readonly string[]) => [...new Set(['', ...words])].join(' ')

/** The words of a folded text. */
export const wordsOf = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * The words of a folded text. Words joined by apostrophes or hyphens are included both separately
 * and as one word.
 */
export function joinedOrNot(folded: string): string[] {
  const words = wordsOf(folded)
  if (!/['-]/.test(folded)) return words
  const joined = (folded.match(/[\p{L}\p{N}'-]+/gu) ?? []).filter((word) => /['-]/.test(word))
  return [...words, ...joined.flatMap((word) => wordsOf(word.replace(/['-]/g, '')))]
}

const numbersIn = (folded: string): string[] =>
  (folded.match(/\d[\d ()+./-]*\d/g) ?? []).map(digitsOf).filter((digits) => digits.length >= MIN_DIGITS)
