import type { Selectable } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { readReference } from '../leads/reference.ts'

type LeadRow = Selectable<Schema['leads']>

/** Whether a lead has the text in any field; without a text, every lead has it. */
export function matcherFor(search = ''): (lead: LeadRow) => boolean {
  const wanted = fold(search)
  const digits = phoneDigits(search)
  const reference = readReference(search)
  return (lead) =>
    wanted === '' ||
    lead.reference === reference ||
    fold(fieldsOf(lead).join('\n')).includes(wanted) ||
    (digits !== '' && lead.phone.replace(/\D/g, '').includes(digits))
}

/** Text as it is searched: "MÜLLER", "müller" and "Muller" are one. */
const fold = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

// Fewer are in almost every number.
const FEWEST_DIGITS = 4

/** The digits of what can be part of a phone number, without the American "+1"; empty for anything else. */
function phoneDigits(text: string): string {
  if (!/^[\d\s()+./-]*$/.test(text)) return ''
  const digits = text.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  return digits.length < FEWEST_DIGITS ? '' : digits
}

const fieldsOf = (lead: LeadRow) => [
  lead.reference,
  `${lead.first_name} ${lead.last_name}`,
  lead.email,
  lead.phone,
  lead.company,
  lead.website,
  lead.message,
]
