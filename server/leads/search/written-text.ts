import { sql } from 'kysely'
import type { Database } from '../../database/schema.ts'
import { jsonField } from '../../database/shared-database.ts'
import { fileNames, filesOf } from '../messages/message-text.ts'
import { addFound, type SearchText } from './found-in.ts'
import { searchTextOf } from './search-text.ts'
import { readSenders } from './senders.ts'

// What is older in a very long history is left out when all is read again, such as after an undo:
// otherwise, that could block the server.
const MAX_EVENTS = 500
const MAX_SAID = 20_000
// Characters. What a lead is found by becomes longer with each message, until only the newest count
// again.
const MAX_FOUND = 80_000
// Each text has at most 20,000 characters, so that one step is short.
const STEP = 25

type Said = { what: string; text: string }

/**
 * What has been written about a lead since it came in, and the names of files, newest first: about
 * `characters`, by default as much as one step can look through. Leaves out answers that were
 * undone.
 */
export async function readSaid(db: Database, leadId: string, characters = MAX_SAID): Promise<Said[]> {
  const texts = db
    .selectFrom('lead_events')
    .select(['id', 'what', 'text', 'files', jsonField(db, 'received', 'attachments').as('received')])
    .where('lead_id', '=', leadId)
    .where('text', 'is not', null)
    .where(
      sql<boolean>`not exists (select 1 from lead_events as undos where undos.key = 'undo ' || lead_events.key)`,
    )
    .orderBy('id', 'desc')
    .limit(STEP)
  const said: Said[] = []
  for (let left = characters, before = Number.MAX_SAFE_INTEGER; left > 0 && said.length < MAX_EVENTS; ) {
    const rows = await texts.where('id', '<', before).execute()
    for (const { what, text, ...row } of rows) {
      // A text counts whole: what it ends with is often what matters.
      if (left > 0) said.push({ what, text: String(text) })
      const names = fileNames(filesOf(row)).join(', ')
      if (left > 0 && names) said.push({ what: 'file', text: names })
      left -= String(text).length + names.length
    }
    if (rows.length < STEP) break
    before = Number(rows.at(-1)?.id)
  }
  return said
}

/**
 * Makes searches find what was written about a lead, from which addresses, or corrected. Call it in
 * the same transaction.
 */
export async function updateSearchText(transaction: Database, id: string): Promise<void> {
  const lead = await transaction
    .selectFrom('leads')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const said = await readSaid(transaction, id)
  const senders = await readSenders(transaction, id)
  const found = searchTextOf(
    lead,
    said.map(({ text }) => text).join(' | '),
    senders.map(({ address }) => address),
  )
  await transaction.updateTable('lead_texts').set(found).where('lead_id', '=', id).execute()
}

/**
 * The same for a new message, of which the thread that has read it says what it is found by: that
 * takes too long here, for anybody can send very many long ones.
 */
export async function addToSearchText(
  transaction: Database,
  id: string,
  message: SearchText,
  sender: string,
): Promise<void> {
  const lead = await transaction
    .selectFrom('lead_texts')
    .select(['parts', 'words'])
    .where('lead_id', '=', id)
    .executeTakeFirstOrThrow()
  const found = addFound(lead, message, sender)
  if (found.parts.length + found.words.length > MAX_FOUND) return updateSearchText(transaction, id)
  await transaction.updateTable('lead_texts').set(found).where('lead_id', '=', id).execute()
}
