import { type RawBuilder, sql } from 'kysely'
import { digitsOf, fold, isAscii, isNumeric, withoutZeros } from '#shared/fold.ts'
import { MIN_DIGITS, wordsOf } from './search-text.ts'

const MAX_SEARCH_LENGTH = 200
// A search for a phone number uses only this many of its last digits: the rest is a country or area code.
const PHONE_DIGITS = 7

/** The terms of a search, made up of letters and digits, longest first. Empty if there is nothing to search for. */
export function searchTerms(search: string): string[] {
  const folded = fold(search.slice(0, MAX_SEARCH_LENGTH).toWellFormed()).trim()
  const parts = isNumber(folded) ? [folded] : folded.split(' ')
  const terms = parts.flatMap((part) =>
    isNumber(part) ? [withoutZeros(digitsOf(part)).slice(-PHONE_DIGITS)] : termsOf(part),
  )
  // A long term is rare, so the database can skip the other terms for most leads.
  return [...new Set(terms)].toSorted((a, b) => b.length - a.length)
}

/** An SQL condition for rows of `lead_texts`: the lead has each of these terms, or a name that is like it. */
export const hasTerms = (
  terms: readonly string[],
  alike: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): RawBuilder<boolean> =>
  sql.join(
    terms.map((term) => {
      const names = [...(alike.get(term) ?? [])].map((name) => sql<boolean>`names like ${`% ${name} %`}`)
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

// In shorter names, one wrong letter makes too many others.
const MIN_NAME = 4
// A search with many terms would take too long.
const MAX_NAMES = 3

/** The terms that may be names with a wrong letter. */
export const possibleNames = (terms: readonly string[]): string[] =>
  terms.filter((term) => /^\p{L}+$/u.test(term) && term.length >= MIN_NAME).slice(0, MAX_NAMES)

/**
 * An SQL condition for rows of `lead_texts` that may have a name like this: if one letter is wrong, the name still begins or
 * ends like the term, or has two letters of its middle in a different order. Check the names with `isAlike`.
 */
export function mayHaveNameLike(term: string): RawBuilder<boolean> {
  const middle = Math.floor(term.length / 2)
  const [start, end] = [term.slice(0, middle), term.slice(middle)]
  const swapped = `${start.slice(0, -1)}${end.charAt(0)}${start.slice(-1)}${end.slice(1)}`
  return sql`(names like ${`% ${start}%`} or names like ${`%${end} %`} or names like ${`% ${swapped} %`})`
}

/** Whether a name differs from a term by one letter: missing, added, wrong, or two in a different order. */
export function isAlike(name: string, term: string): boolean {
  if (name === term || name.length < MIN_NAME) return false
  let start = 0
  while (start < name.length && name[start] === term[start]) start++
  let end = 0
  while (end < Math.min(name.length, term.length) - start && name.at(-1 - end) === term.at(-1 - end)) end++
  const [one, other] = [name.slice(start, name.length - end), term.slice(start, term.length - end)]
  return one.length <= 1 ? other.length <= 1 : one.length === 2 && other === `${one[1]}${one[0]}`
}

const isNumber = (folded: string) => isNumeric(folded) && digitsOf(folded).length >= MIN_DIGITS

/** "O'Neil" becomes "ONeil"; "Anna-Lena" becomes "Anna" and "Lena". Single letters stay joined: "e-mail" becomes "email". */
function termsOf(part: string): string[] {
  const words = wordsOf(part.replaceAll("'", ''))
  return words.some((word) => word.length === 1) && part.includes('-') ? [words.join('')] : words
}
