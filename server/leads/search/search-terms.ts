import { type RawBuilder, sql } from 'kysely'
import { comparable } from '#shared/text/clean-email.ts'
import { digitsOf, fold, isAscii, isNumeric, withoutZeros } from '#shared/text/fold.ts'
import { MIN_DIGITS, wordsOf } from './search-text.ts'

const MAX_SEARCH_LENGTH = 200
// A search for a phone number uses only this many of its last digits: the rest is a country or area code.
const PHONE_DIGITS = 7

/** The terms of a search, made up of letters and digits, longest first. Empty if there is nothing to search for. */
export function searchTerms(search: string): string[] {
  const wanted = (addressIn(search) ?? search).slice(0, MAX_SEARCH_LENGTH)
  const folded = fold(wanted).trim()
  const parts = isNumber(folded) ? [folded] : folded.split(' ')
  const terms = parts.flatMap((part) =>
    isNumber(part) ? [withoutZeros(digitsOf(part)).slice(-PHONE_DIGITS)] : termsOf(part),
  )
  // A long term is rare, so the database can skip the other terms for most leads.
  return [...new Set(terms)].toSorted((a, b) => b.length - a.length)
}

/** For a term: the names of leads that differ from it by one letter. */
export type Similar = ReadonlyMap<string, readonly string[]>

/** An SQL condition for rows of `lead_texts`: the lead has each of these terms or, instead of a term, a name similar to it. */
export const hasTerms = (terms: readonly string[], similar: Similar = new Map()): RawBuilder<boolean> =>
  sql.join(
    terms.map((term) => {
      const names = (similar.get(term) ?? []).map((name) => sql`parts like ${`% ${name} %`}`)
      return sql`(${sql.join([has(term), ...names], sql` or `)})`
    }),
    sql` and `,
  )

function has(term: string): RawBuilder<boolean> {
  const anywhere = `%${term}%`
  // Languages that are written without spaces have no beginnings of words.
  const inWords = isAscii(term) ? `% ${term}%` : anywhere
  // Looking for the term alone first is three times as fast, because most texts don't have it.
  return sql`(parts like ${anywhere} or (words like ${anywhere} and words like ${inWords}))`
}

/** The address, as it is stored, if the search is for a whole one. */
export function addressIn(search: string): string | undefined {
  const typed = /^[^\s\p{Cc}]+@[^\s\p{Cc}]+$/u.exec(search.trim().toWellFormed())?.[0]
  return typed && comparable(typed)
}

/**
 * An SQL condition: somebody has written about the lead from exactly this address. The search text of a
 * lead has only the newest ones.
 */
export function isFrom(search: string, leadId: 'id' | 'lead_id'): RawBuilder<boolean> {
  const address = addressIn(search)
  if (!address) return sql`false`
  return sql`${sql.ref(leadId)} in (select lead_id from lead_events where who = ${address}
    and received is not null and what in ('reply', 'automatic_reply'))`
}

/** Whether a term may be a misspelled name. With fewer letters, it would be similar to too many. */
export const mayBeName = (term: string): boolean => /^\p{L}{4,20}$/u.test(term)

/** An SQL condition for rows of `lead_texts`: a word begins or ends like this term, as all words do that `similarTo` finds. */
export function mayHaveSimilar(term: string): RawBuilder<boolean> {
  const middle = Math.floor(term.length / 2)
  return sql`(parts like ${`% ${term.slice(0, middle)}%`} or parts like ${`%${term.slice(middle + 1)} %`})`
}

/** Finds words in `parts` that differ from a term by one letter: wrong, missing, added, or swapped with the next. */
export function similarTo(term: string): RegExp {
  const words = Array.from({ length: term.length }, (_, at) => {
    const [start, letter, rest] = [term.slice(0, at), term.charAt(at), term.slice(at + 1)]
    return `${start}(?:\\p{L}?|${letter}\\p{L}|\\p{L}${letter})${rest}|${start}${rest.charAt(0)}${letter}${rest.slice(1)}`
  })
  return new RegExp(`(?<= )(?!${term} )(?:${words.join('|')})(?= )`, 'gu')
}

const isNumber = (folded: string) => isNumeric(folded) && digitsOf(folded).length >= MIN_DIGITS

/** "O'Neil" becomes "ONeil"; "Anna-Lena" becomes "Anna" and "Lena". Single letters stay joined: "e-mail" becomes "email". */
function termsOf(part: string): string[] {
  const words = wordsOf(part.replaceAll("'", ''))
  return words.some((word) => word.length === 1) && part.includes('-') ? [words.join('')] : words
}
