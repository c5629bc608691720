import type { Selectable } from 'kysely'
import { replaceSteering } from '#shared/steering-characters.ts'
import type { Schema } from '../database/schema.ts'
import { readReference } from '../leads/reference.ts'

type LeadRow = Selectable<Schema['leads']>

// Fewer are in almost every number.
const FEWEST_DIGITS = 4
// A whole number, without the code of its country.
const FEWEST_OF_WHOLE = 7

/** Whether a lead has the text in any field; without a text, every lead has it. */
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

/** Text as it is searched: "MÜLLER", "müller" and "Muller" are one, and so are all quotes, dashes and spaces. */
const fold = (text: string) =>
  replaceSteering(text.replace(blank, ' '), () => '')
    .replace(/ {2,}/g, ' ')
    .replace(quote, "'")
    // In small parts, because sorting marks takes the square of their number.
    .replace(/[^\0-\x7f]{1,32}/gu, (part) => part.normalize('NFKD'))
    .replace(/\p{M}/gu, '')
    .replace(/\p{Dash}/gu, '-')
    .toLowerCase()

// But for the byte order mark, which shows nothing.
const blank = /[^\S\ufeff]/g
// Before decomposition, which makes a space of an accent that stands alone.
const quote = /[\p{Quotation_Mark}`´\u02b9-\u02bf\u2032-\u2037]/gu

/** The digits of what can be part of a phone number, without the zeros that are dialed within a country; else empty. */
function searchedDigits(text: string): string {
  const digits = /^[\d ()+./-]*$/.test(text) ? digitsOf(text) : ''
  return digits.length < FEWEST_DIGITS ? '' : withoutZeros(digits)
}

/** The stored number may have the code of its country where the search has none, or the other way around. */
const isInPhone = (digits: string, stored: string) =>
  stored.includes(digits) || (stored.length >= FEWEST_OF_WHOLE && digits.endsWith(withoutZeros(stored)))

const digitsOf = (text: string) => text.replace(/\( ?0 ?\)|\D/g, '')
// Not where it would leave too few.
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
