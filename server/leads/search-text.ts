import { type RawBuilder, sql } from 'kysely'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { digitsOf, fold, foldSpellings, isAscii, isNumeric, withoutZeros } from '#shared/fold.ts'
import type { LeadFields } from '../database/schema.ts'

const MAX_TERM_LENGTH = 64
// A search for a phone number uses only this many of its last digits: the rest is a country or area code.
const PHONE_DIGITS = 7
const MIN_DIGITS = 4
const MAX_TERMS = 8
const MAX_SEARCH_LENGTH = 200

// A phone number is found by its digits, and the message by the beginnings of its words.
const columns = contactFieldNames.flatMap((field) =>
  field === 'phone' || field === 'budget' || field === 'message' ? [] : [contactFields[field].column],
)

/** The fields of a lead that are searched. */
export type Searchable = Omit<LeadFields, 'budget'> & { reference: string }

/**
 * What a lead is found by: the folded words of its fields, each after a space. A search finds any part of a word in `parts`
 * (names, addresses and numbers), but only the beginning of an English word in `words` (the message).
 */
export type SearchText = { parts: string; words: string }

export function searchTextOf(lead: Searchable): SearchText {
  const phone = fold(lead.phone)
  const spellings = foldSpellings(lead.message)
  const [message = ''] = spellings
  return {
    parts: join([
      ...foldSpellings(columns.map((column) => lead[column]).join(' ')).flatMap(joinedOrNot),
      digitsOf(phone),
      ...numbersIn(message),
      fold(lead.reference).replaceAll('-', ''),
    ]),
    // A phone number can contain words, such as "extension".
    words: join([...spellings.flatMap(joinedOrNot), ...wordsOf(phone)]),
  }
}

const join = (words: readonly string[]) => [...new Set(words)].map((word) => ` ${word}`).join('')

/** The terms of a search, made up of letters and digits, longest first. Empty if there is nothing to search for. */
export function searchTerms(search: string): string[] {
  const folded = fold(search.slice(0, MAX_SEARCH_LENGTH).toWellFormed()).trim()
  const parts = isNumber(folded) ? [folded] : folded.split(' ')
  const terms = parts.flatMap((part) =>
    isNumber(part) ? [withoutZeros(digitsOf(part)).slice(-PHONE_DIGITS)] : termsOf(part),
  )
  // A long term is rare, so the database can skip the other terms for most leads.
  return [...new Set(terms)].slice(0, MAX_TERMS).toSorted((a, b) => b.length - a.length)
}

/** An SQL condition for rows of `lead_texts`: the lead has all these terms. */
export const hasTerms = (terms: readonly string[]): RawBuilder<boolean> =>
  sql.join(terms.map(has), sql` and `)

function has(term: string): RawBuilder<boolean> {
  const anywhere = `%${term}%`
  // Languages that are written without spaces have no beginnings of words.
  const inWords = isAscii(term) ? `% ${term}%` : anywhere
  // Looking for the term alone first is three times as fast, because most texts don't have it.
  return sql`(parts like ${anywhere} or (words like ${anywhere} and words like ${inWords}))`
}

const isNumber = (folded: string) => isNumeric(folded) && digitsOf(folded).length >= MIN_DIGITS

/** "O'Neil" becomes "ONeil"; "Anna-Lena" becomes "Anna" and "Lena". Single letters stay joined: "e-mail" becomes "email". */
function termsOf(part: string): string[] {
  const words = wordsOf(part.replaceAll("'", ''))
  const joined = words.some((word) => word.length === 1) && part.includes('-') ? [words.join('')] : words
  return joined.map((word) => [...word].slice(0, MAX_TERM_LENGTH).join(''))
}

const wordsOf = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

/** The words of a text. Words joined by apostrophes or hyphens are included both separately and as one word. */
function joinedOrNot(folded: string): string[] {
  const words = wordsOf(folded)
  if (!/['-]/.test(folded)) return words
  const joined = (folded.match(/[\p{L}\p{N}'-]+/gu) ?? []).filter((word) => /['-]/.test(word))
  return [...words, ...joined.flatMap((word) => wordsOf(word.replace(/['-]/g, '')))]
}

const numbersIn = (folded: string): string[] =>
  (folded.match(/\d[\d ()+./-]*\d/g) ?? []).map(digitsOf).filter((digits) => digits.length >= MIN_DIGITS)
