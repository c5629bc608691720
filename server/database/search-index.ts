import { sql } from 'kysely'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

/** A lead, and the words by which it can be found, separated by spaces. */
export type Indexed = { id: string; words: string }

/**
 * Adds leads to the search index. Pass them sorted by id, oldest first: searches treat the lead that was added last as the
 * newest. Call this in a transaction.
 */
export async function addToIndex(db: Database, leads: readonly Indexed[]): Promise<void> {
  const json = JSON.stringify(leads)
  if (isShared(db)) {
    await sql`insert into lead_index (lead_id, words)
      select id, array_to_tsvector(string_to_array(words, ' '))
      from json_to_recordset(${json}::json) as new (id text, words text) order by id`.execute(db)
    return
  }
  const { rows } = await sql<{ last: number | null }>`select max(number) as last from lead_index`.execute(db)
  await sql`insert into lead_index (lead_id, words)
    select value ->> 'id', value ->> 'words' from json_each(${json})`.execute(db)
  await sql`insert into lead_words (rowid, words)
    select number, words from lead_index where number > ${rows[0]?.last ?? 0} order by number`.execute(db)
}

/** Removes a lead from the search index, to be added again with its new words. It then counts as the newest in searches. */
export async function removeFromIndex(db: Database, leadId: string): Promise<void> {
  await db.deleteFrom('lead_index').where('lead_id', '=', leadId).execute()
  await db.updateTable('leads').set({ is_indexed: 0 }).where('id', '=', leadId).execute()
}
