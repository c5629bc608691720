import type { Selectable } from 'kysely'
import { digitsOf, fold, foldSpellings, isNumeric, withoutZeros } from '#shared/fold.ts'
import type { Schema } from '../database/schema.ts'
import { readReference } from '../leads/reference.ts'

type LeadRow = Selectable<Schema['leads']>

// Fewer digits would match too many phone numbers.
const MIN_DIGITS = 4
// The length of the shortest complete phone number, without a country code.
const MIN_COMPLETE_DIGITS = 7

/** Returns a function that says whether any field of a lead contains the text. Empty text matches every lead. */
export function matcherFor(search = ''): (lead: LeadRow) => boolean {
  const wanted = fold(search).trim()
  const digits = searchedDigits(wanted)
  const reference = readReference(search)
  return (lead) =>
    wanted === '' ||
    lead.reference === reference ||
    fieldsOf(lead).flatMap(foldSpellings).join('\n').includes(wanted) ||
    (digits !== '' && isInPhone(digits, digitsOf(fold(lead.phone))))
}

/** The digits of a phone number, without its leading (trunk) zeros; empty if the text can't be a phone number. */
function searchedDigits(text: string): string {
  const digits = isNumeric(text) ? digitsOf(text) : ''
  return digits.length < MIN_DIGITS ? '' : withoutZeros(digits)
}

/** Whether the numbers match, even if only one of them has a country code. */
const isInPhone = (digits: string, stored: string) =>
  stored.includes(digits) || (stored.length >= MIN_COMPLETE_DIGITS && digits.endsWith(withoutZeros(stored)))

const fieldsOf = (lead: LeadRow) => [
  lead.reference,
  `${lead.first_name} ${lead.last_name}`,
  lead.email,
  lead.phone,
  lead.company,
  lead.website,
  lead.message,
]
