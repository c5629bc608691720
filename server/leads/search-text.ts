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
 * What a lead is found by: the folded words of its fields and its history, each after a space. A search finds any part of a
 * word in `parts` (names, addresses and numbers), but only the beginning of an English word in `words` (what people wrote).
 */
export type SearchText = Omit<Schema['lead_texts'], 'lead_id'>

/** `said`: what owners and the person have written since. */
export function searchTextOf(lead: Searchable, said = ''): SearchText {
  const phone = fold(lead.phone)
  const spellings = foldSpellings(`${lead.message} | ${said}`)
  const [texts = ''] = spellings
  return {
    parts: join([
      ...foldSpellings(columns.map((column) => lead[column]).join(' ')).flatMap(joinedOrNot),
      digitsOf(phone),
      ...numbersIn(texts),
      fold(lead.reference).replaceAll('-', ''),
    ]),
    // A phone number can contain words, such as "extension".
    words: join([...spellings.flatMap(joinedOrNot), ...wordsOf(phone)]),
  }
}

// What is older in a very long history isn't found: otherwise, it could make each search slow.
const MAX_EVENTS = 500
const MAX_SAID = 20_000

/** What has been written about a lead since it came in, newest first. */
export const readSaid = (db: Database, leadId: string) =>
  db
    .selectFrom('lead_events')
    .select(['what', 'text'])
    .where('lead_id', '=', leadId)
    .where('text', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_EVENTS)
    .execute()

/** Makes searches find what was written about a lead, or corrected. Call it in the same transaction. */
export async function updateSearchText(transaction: Database, id: string): Promise<void> {
  const lead = await transaction
    .selectFrom('leads')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const said = (await readSaid(transaction, id)).map(({ text }) => text).join(' | ')
  const found = searchTextOf(lead, said.slice(0, MAX_SAID))
  await transaction.updateTable('lead_texts').set(found).where('lead_id', '=', id).execute()
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
