import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { contactFields, detailFields } from '#shared/contact-request.ts'
import { type LeadPage, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { digitsOf, fold, foldSpellings } from '#shared/text/fold.ts'
import type { Database } from '../../database/schema.ts'
import { readReference } from '../reference.ts'
import { joinedOrNot } from '../search/found-in.ts'
import { addressIn, hasAddress, hasTerms, isFrom, searchTerms } from '../search/search-terms.ts'
import { hasWrittenFrom, readSenders } from '../search/senders.ts'
import { readSaid } from '../search/written-text.ts'
import { type Row, rowColumns, toPage } from './lists.ts'

// How many leads one query looks through. On SQLite, that takes about 3 ms, during which the server
// does nothing else.
const STEP = 5_000
// Characters of a lead's history in which the words are looked for that a row shows.
const MAX_SHOWN = 100_000
// How much of a text is shown before and after what was found.
const BEFORE = 60
const MAX_MATCH = 100
const AFTER = 100
// Every id is lower.
const NEWEST = '~'

type Search = { search: string; before?: string | undefined; owner?: string; now?: Date }

/**
 * Finds the lead with this reference or, if there is none, the leads that have every term of the
 * search, newest first. `before`: only leads with lower ids, which are older.
 */
export async function searchLeads(
  db: Database,
  { search, before = NEWEST, owner, now }: Search,
): Promise<LeadPage> {
  const leads = db
    .selectFrom('leads')
    .selectAll('leads')
    .select(rowColumns(db, owner, now))
  const named = await leads.where('reference', '=', readReference(search) ?? '').execute()
  if (named.length > 0) return toPage(named, ({ id }) => ['', id])
  const terms = searchTerms(search)
  const ids = await findIds(db, { search, terms, before })
  if (ids.length === 0) return { leads: [], next: null }
  const rows: Row[] = await leads.where('id', 'in', ids).execute()
  const address = addressIn(search)
  for (const row of rows)
    row.found =
      address && (await hasWrittenFrom(db, row.id, address))
        ? { label: 'Wrote from', before: '', match: address, after: '' }
        : await findIn(db, row, terms, address)
  const inOrder = rows.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
  return toPage(inOrder, ({ id }) => ['', id])
}

type Wanted = { search: string; terms: string[]; before: string }

/**
 * The ids of a page of leads, and of one more. Goes through the leads, newest first, in steps, so
 * that no visitor has to wait.
 */
async function findIds(db: Database, { search, terms, before }: Wanted): Promise<string[]> {
  const ids: string[] = []
  if (terms.length === 0) return ids
  for (let end = before; end !== '' && ids.length <= PAGE_SIZE; await nextTurn()) {
    const leads = db.selectFrom('leads').select('id').where('id', '<', end).orderBy('id', 'desc').limit(1)
    const oldest = (await leads.offset(STEP - 1).executeTakeFirst())?.id ?? ''
    const found = await db
      .selectFrom('lead_texts')
      .select('lead_id')
      .where('lead_id', '<', end)
      .where('lead_id', '>=', oldest)
      .where(sql<boolean>`(${hasTerms(terms)} and ${hasAddress(db, search)} or ${isFrom(search, 'lead_id')})`)
      .orderBy('lead_id', 'desc')
      .limit(PAGE_SIZE + 1 - ids.length)
      .execute()
    ids.push(...found.map(({ lead_id }) => lead_id))
    end = oldest
  }
  return ids
}

// Phone numbers, and words with everything that people put into them.
const token = /[(+]?\d[\d ()+./-]*\d|[\p{L}\p{N}\p{M}\p{Dash}\p{Quotation_Mark}]+/gu
const labels: Record<string, string> = {
  note: 'In a note',
  reply: 'In a reply',
  answer: 'In an answer',
  file: 'File',
}

/**
 * What a row shows of the first text that has a term which the name lacks; null if the name has all
 * terms.
 */
async function findIn(db: Database, row: Row, terms: string[], address = ''): Promise<Row['found']> {
  const name = wordsOf(`${row.first_name} ${row.last_name}`)
  const missing = terms.filter((term) => !name.includes(term))
  if (missing.length === 0) return null
  const said = await readSaid(db, row.id, MAX_SHOWN)
  const senders = await readSenders(db, row.id)
  // In what people wrote, a search finds only the beginnings of words.
  const sources = [
    ...(['message', 'email', ...detailFields] as const).map((field) => {
      const { label, column } = contactFields[field]
      return { label, text: row[column], start: field === 'message' ? ' ' : '' }
    }),
    { label: 'Reference', text: row.reference, start: '' },
    ...senders.map(({ address }) => ({ label: 'Wrote from', text: address, start: '' })),
    ...said.map(({ what, text }) => ({ label: labels[what] ?? 'In the history', text, start: ' ' })),
  ]
  for (const { label, text, start } of sources) {
    if (address && !fold(text).includes(fold(address))) continue
    // People can write long texts.
    if (start) await nextTurn()
    const wanted = missing.map((term) => (/[a-z]/.test(term) ? start : '') + term)
    const isHit = (words: string) => wanted.some((term) => words.includes(term))
    if (!isHit(wordsOf(text))) continue
    for (const { 0: match, index } of text.matchAll(token)) {
      if (!isHit(wordsOf(match))) continue
      const before = text.slice(Math.max(0, index - BEFORE), index)
      const end = index + Math.min(match.length, MAX_MATCH)
      return {
        label,
        before: index > BEFORE ? before.replace(/^\S*\s?/, '…') : before,
        match: text.slice(index, end),
        after: text.slice(end, end + AFTER),
      }
    }
  }
  return null
}

const wordsOf = (text: string) => {
  const folded = foldSpellings(text)
  return ` ${[...folded.flatMap(joinedOrNot), ...folded.map(digitsOf)].join(' ')} `
}
