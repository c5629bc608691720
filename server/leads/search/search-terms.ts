import { type RawBuilder, sql } from 'kysely'
import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { comparable } from '#shared/text/comparable-address.ts'
import { digitsOf, fold, isAscii, isNumeric, withoutZeros } from '#shared/text/fold.ts'
import type { Database } from '../../database/schema.ts'
import { jsonField } from '../../database/shared-database.ts'
import { MIN_DIGITS, wordsOf } from './found-in.ts'

const MAX_SEARCH_LENGTH = 200
// A search for a phone number uses only this many of its last digits: the rest is a country or area
// code.
const PHONE_DIGITS = 7

/**
 * The terms of a search, made up of letters and digits, longest first. Empty if there is nothing to
 * search for.
 */
export function searchTerms(search: string): string[] {
  const wanted = (addressIn(search) ?? search).slice(0, MAX_SEARCH_LENGTH)
  const folded = fold(wanted)
    .replace(phone, (run) => (digitsOf(run).length < PHONE_DIGITS ? run : ` ${digitsOf(run)} `))
    .trim()
  const parts = isNumber(folded) ? [folded] : folded.split(' ')
  const terms = parts.flatMap((part) =>
    isNumber(part) ? [withoutZeros(digitsOf(part)).slice(-PHONE_DIGITS)] : termsOf(part),
  )
  // A long term is rare, so the database can skip the other terms for most leads.
  return [...new Set(terms)].toSorted((a, b) => b.length - a.length)
}

/**
 * An SQL condition for rows of `lead_texts` that have all terms: if the search is for an address,
 * its words stand together. Otherwise, other people with the same mail service would be found.
 */
export function hasAddress(db: Database, search: string): RawBuilder<boolean> {
  const address = addressIn(search)
  if (!address) return sql`true`
  // Quotes have several forms, and SQLite knows only the capitals of ASCII: `_` is any character.
  const part = `%${address.replace(/[^\w@.+-]/gu, '_')}%`
  const columns = contactFieldNames.map((field) => sql.ref(contactFields[field].column))
  // For `exists`, PostgreSQL would read the texts of all leads.
  return sql`((select lower(concat_ws(' ', ${sql.join(columns)})) from leads
      where leads.id = lead_texts.lead_id) like ${part}
    or (select count(*) from lead_events where lead_events.lead_id = lead_texts.lead_id
      and lower(concat_ws(' ', text, who, files, ${jsonField(db, 'received', 'attachments')})) like ${part}) > 0)`
}

/** An SQL condition for rows of `lead_texts`: the lead has each of these terms. */
export const hasTerms = (terms: readonly string[]): RawBuilder<boolean> =>
  sql.join(terms.map(has), sql` and `)

function has(term: string): RawBuilder<boolean> {
  const anywhere = `%${term}%`
  // Languages that are written without spaces have no beginnings of words.
  const inWords = isAscii(term) ? `% ${term}%` : anywhere
  // Looking for the term alone first is three times as fast, because most texts don't have it.
  return sql`(parts like ${anywhere} or (words like ${anywhere} and words like ${inWords}))`
}

/**
 * The address, as it is stored, if the search is for a whole one, perhaps with what stood around
 * it.
 */
export function addressIn(search: string): string | undefined {
  const copied = search.toWellFormed().replace(/^[\s<("'“„]+|[\s>)"'”“,;:.]+$/g, '')
  const typed = /^[^\s\p{Cc}]+@[^\s\p{Cc}@]+\.[^\s\p{Cc}@]+$/u.exec(copied)?.[0]
  return typed && comparable(typed)
}

/**
 * An SQL condition: somebody has written about the lead from exactly this address. The search text
 * of a lead has only the newest ones.
 */
export function isFrom(search: string, leadId: 'id' | 'lead_id'): RawBuilder<boolean> {
  const address = addressIn(search)
  if (!address) return sql`false`
  return sql`${sql.ref(leadId)} in (select lead_id from lead_events where who = ${address}
    and received is not null and what in ('reply', 'automatic_reply'))`
}

// Next to a name, for example. What has dots or slashes, such as a date, is none.
const phone = /(?:\+|\b0)[\d ()-]{5,}\d/g

const isNumber = (folded: string) => isNumeric(folded) && digitsOf(folded).length >= MIN_DIGITS

/**
 * "O'Neil" becomes "ONeil"; "Anna-Lena" becomes "Anna" and "Lena". Single letters stay joined:
 * "e-mail" becomes "email".
 */
function termsOf(part: string): string[] {
  const runs = part.replaceAll("'", '').match(/[\p{L}\p{N}-]+/gu) ?? []
  return runs.flatMap((run) => {
    const words = wordsOf(run)
    return words.some((word) => word.length === 1) ? [words.join('')] : words
  })
}
