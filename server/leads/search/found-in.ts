import { digitsOf, foldSpellings } from '#shared/text/fold.ts'
import type { Schema } from '../../database/schema.ts'

/** Fewer digits are no number that somebody would search for. */
export const MIN_DIGITS = 4

/**
 * What a lead is found by: the folded words of its fields and its history, each after a space. A
 * search finds any part of a word in `parts` (names, addresses and numbers), but only the beginning
 * of an English word in `words` (what people wrote).
 */
export type SearchText = Omit<Schema['lead_texts'], 'lead_id'>

/** What a text that somebody wrote is found by. Takes some milliseconds for a long one. */
export function foundIn(text: string): SearchText {
  const spellings = foldSpellings(text)
  const [folded = ''] = spellings
  return { parts: joinWords(numbersIn(folded)), words: joinWords(spellings.flatMap(joinedOrNot)) }
}

/**
 * Adds what a message is found by to what its lead is found by. `sender`: the address it came from.
 */
export const addFound = (lead: SearchText, message: SearchText, sender: string): SearchText => ({
  parts: joinWords([
    ...lead.parts.split(' '),
    ...message.parts.split(' '),
    ...foldSpellings(sender).flatMap(joinedOrNot),
  ]),
  words: joinWords([...lead.words.split(' '), ...message.words.split(' ')]),
})

/** The words as they are stored: each once, after a space. */
export const joinWords = (words: readonly string[]) => [...new Set(['', ...words])].join(' ')

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
