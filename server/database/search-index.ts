import { sql } from 'kysely'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

/** A lead, and the words under which it is found, separated by spaces. */
export type Indexed = { id: string; words: string }

/** Adds leads to the search index, in this order. Call it in a transaction. */
export async function addToIndex(db: Database, leads: readonly Indexed[]): Promise<void> {
  if (isShared(db)) return storeWords(db, leads)
  const { rows } = await sql<{ last: number | null }>`select max(number) as last from lead_index`.execute(db)
  await storeWords(db, leads)
  await indexWordsAfter(db, rows[0]?.last ?? 0)
}

/** Stores the words of leads, in this order. On SQLite, call `indexWordsAfter` in the same transaction. */
export async function storeWords(db: Database, leads: readonly Indexed[]): Promise<void> {
  const json = JSON.stringify(leads)
  const insert = isShared(db)
    ? sql`insert into lead_index (lead_id, words)
        select id, array_to_tsvector(string_to_array(words, ' '))
        from json_to_recordset(${json}::json) as new (id text, words text) order by id`
    : sql`insert into lead_index (lead_id, words)
        select value ->> 'id', value ->> 'words' from json_each(${json})`
  await insert.execute(db)
}

/** Adds the stored words with higher numbers to SQLite's full-text index. */
export async function indexWordsAfter(db: Database, number: number): Promise<void> {
  await sql`insert into lead_words (rowid, words)
    select number, words from lead_index where number > ${number} order by number`.execute(db)
}
