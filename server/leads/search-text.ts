import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { digitsOf, fold, foldSpellings } from '#shared/fold.ts'
import type { Database, LeadFields, Schema } from '../database/schema.ts'

/** Fewer digits are no number that somebody would search for. */
export const MIN_DIGITS = 4

// A phone number is found by its digits, and the message by the beginnings of its words.
const columns = contactFieldNames.flatMap((field) =>
  field === 'phone' || field === 'budget' || field === 'message' ? [] : [contactFields[field].column],
)

/** The fields of a lead that are searched. */
export type Searchable = Omit<LeadFields, 'budget'> & { reference: string }

/**
 * What a lead is found by: the folded words of its fields and of its conversation, each after a space. A search finds any
 * part of a word in `parts` (names, addresses and numbers), but only the beginning of an English word in `words` (what people
 * wrote). `names` has the whole names, for a search that forgives a wrong letter.
 */
export type SearchText = Omit<Schema['lead_texts'], 'lead_id'>

// PostgreSQL refuses index entries over 2,700 bytes, and a letter can take four.
const MAX_NAMES = 500

/** `said`: what owners and the person have written since. */
export function searchTextOf(lead: Searchable, said: readonly string[] = []): SearchText {
  const phone = fold(lead.phone)
  const texts = [lead.message, ...said].map(foldSpellings)
  const names = foldSpellings(`${lead.first_name} ${lead.last_name} ${lead.company}`)
  return {
    names: `${join(names.flatMap(joinedOrNot)).slice(0, MAX_NAMES)} `,
    parts: join([
      ...foldSpellings(columns.map((column) => lead[column]).join(' ')).flatMap(joinedOrNot),
      digitsOf(phone),
      ...texts.flatMap(([text = '']) => numbersIn(text)),
      fold(lead.reference).replaceAll('-', ''),
    ]),
    // A phone number can contain words, such as "extension".
    words: join([...texts.flat().flatMap(joinedOrNot), ...wordsOf(phone)]),
  }
}

/** The events whose text is searched: what people wrote. */
export const writtenEvents = ['note', 'answer', 'reply', 'answered_by_mail', 'automatic_reply'] as const

// What is older in a very long conversation isn't found. Otherwise, it could make each search slow.
const MAX_EVENTS = 100
const MAX_SAID = 50_000

/** Makes a search find what was written about a lead, or was corrected or deleted. */
export async function updateSearchText(transaction: Database, leadId: string): Promise<void> {
  const lead = await transaction.selectFrom('leads').selectAll().where('id', '=', leadId).executeTakeFirst()
  if (!lead) return
  const events = await transaction
    .selectFrom('lead_events')
    .select('text')
    .where('lead_id', '=', leadId)
    .where('what', 'in', writtenEvents)
    .orderBy('id', 'desc')
    .limit(MAX_EVENTS)
    .execute()
  let left = MAX_SAID
  const said = events.map(({ text }) => {
    const part = String(text ?? '').slice(0, left)
    left -= part.length
    return part
  })
  const found = searchTextOf(lead, said)
  await transaction.updateTable('lead_texts').set(found).where('lead_id', '=', leadId).execute()
}

const join = (words: readonly string[]) => ['', ...new Set(words)].join(' ')

/** The words of a folded text. */
export const wordsOf = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

/** The words of a folded text. Words joined by apostrophes or hyphens are included both separately and as one word. */
export function joinedOrNot(folded: string): string[] {
  const words = wordsOf(folded)
  if (!/['-]/.test(folded)) return words
  const joined = (folded.match(/[\p{L}\p{N}'-]+/gu) ?? []).filter((word) => /['-]/.test(word))
  return [...words, ...joined.flatMap((word) => wordsOf(word.replace(/['-]/g, '')))]
}

const numbersIn = (folded: string): string[] =>
  (folded.match(/\d[\d ()+./-]*\d/g) ?? []).map(digitsOf).filter((digits) => digits.length >= MIN_DIGITS)
