import type { Selectable } from 'kysely'
import { replaceInvisible } from '#shared/invisible-characters.ts'
import type { Schema } from '../database/schema.ts'
import { readReference } from '../leads/reference.ts'

type LeadRow = Selectable<Schema['leads']>

// Fewer digits match almost every phone number.
const MIN_DIGITS = 4
// The shortest complete number, without a country code.
const MIN_COMPLETE_DIGITS = 7

/** Returns a predicate: whether any field of a lead contains the text. Empty text matches every lead. */
export function matcherFor(search = ''): (lead: LeadRow) => boolean {
  const wanted = fold(search).trim()
  const digits = searchedDigits(wanted)
  const reference = readReference(search)
  return (lead) =>
    wanted === '' ||
    lead.reference === reference ||
    fieldsOf(lead).map(fold).join('\n').includes(wanted) ||
    (digits !== '' && isInPhone(digits, digitsOf(fold(lead.phone))))
}

/** Normalizes text for searching: "MÜLLER", "müller" and "Muller" become the same, and so do all quotes, dashes and spaces. */
const fold = (text: string) =>
  replaceInvisible(text.replace(blank, ' '), () => '')
    .replace(/ {2,}/g, ' ')
    .replace(quote, "'")
    // In small parts, because normalizing takes quadratic time in the number of combining marks.
    .replace(/[^\0-\x7f]{1,32}/gu, (part) => part.normalize('NFKD'))
    .replace(/\p{M}/gu, '')
    .replace(/\p{Dash}/gu, '-')
    .toLowerCase()

// Excludes the byte order mark, which counts as an invisible character.
const blank = /[^\S\ufeff]/g
// Replaced before decomposition, which turns a standalone accent into a space.
const quote = /[\p{Quotation_Mark}`´\u02b9-\u02bf\u2032-\u2037]/gu

/** The digits of a phone number, without its leading (trunk) zeros; empty if the text can't be a phone number. */
function searchedDigits(text: string): string {
  const digits = /^[\d ()+./-]*$/.test(text) ? digitsOf(text) : ''
  return digits.length < MIN_DIGITS ? '' : withoutZeros(digits)
}

/** Whether the numbers match, even if only one of them has a country code. */
const isInPhone = (digits: string, stored: string) =>
  stored.includes(digits) || (stored.length >= MIN_COMPLETE_DIGITS && digits.endsWith(withoutZeros(stored)))

const digitsOf = (text: string) => text.replace(/\( ?0 ?\)|\D/g, '')
// Keeps at least four digits.
const withoutZeros = (digits: string) => digits.replace(/^0+(?=\d{4})/, '')

const fieldsOf = (lead: LeadRow) => [
  lead.reference,
  `${lead.first_name} ${lead.last_name}`,
  lead.email,
  lead.phone,
  lead.company,
  lead.website,
  lead.message,
]
