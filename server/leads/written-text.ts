import type { Database } from '../database/schema.ts'
import { searchTextOf } from './search-text.ts'

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
