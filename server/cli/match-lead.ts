import type { Selectable } from 'kysely'
import { digitsOf, fold, isNumeric, withoutZeros } from '#shared/fold.ts'
import type { Schema } from '../database/schema.ts'
import { readReference } from '../leads/reference.ts'

type LeadRow = Selectable<Schema['leads']>

// Fewer digits match almost every phone number.
const FEWEST_DIGITS = 4
// A complete number without a country code.
const FEWEST_OF_WHOLE = 7

/** Returns a function that tells if a lead has the text in any field. An empty text matches every lead. */
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

/** The digits of a possible phone number, without its leading (trunk) zeros; empty if it can't be one. */
function searchedDigits(text: string): string {
  const digits = isNumeric(text) ? digitsOf(text) : ''
  return digits.length < FEWEST_DIGITS ? '' : withoutZeros(digits)
}

/** Either number may have a country code that the other lacks. */
const isInPhone = (digits: string, stored: string) =>
  stored.includes(digits) || (stored.length >= FEWEST_OF_WHOLE && digits.endsWith(withoutZeros(stored)))

const fieldsOf = (lead: LeadRow) => [
  lead.reference,
  `${lead.first_name} ${lead.last_name}`,
  lead.email,
  lead.phone,
  lead.company,
  lead.website,
  lead.message,
]
