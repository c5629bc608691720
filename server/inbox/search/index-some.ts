import { type RawBuilder, sql } from 'kysely'
import { indexWords, type Searchable } from '#shared/search-words.ts'
import { isShared } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import { addToIndex, type Indexed } from '../../database/search-index.ts'

// A batch blocks the thread for 2 to 4 ms. The longest possible lead alone takes about as long.
const BATCH_LEADS = 20
const BATCH_WORDS = 3_000
const MERGED_PAGES = 24

type Unindexed = Searchable & { id: string }

/**
 * Adds a few leads to the search index, oldest first, so that index numbers increase with time. Returns how many it has
 * added: 0 if none are left, or if another replica is indexing the rest. Call it in a transaction.
 */
export async function indexSome(db: Database): Promise<number> {
  const found = await sql<Unindexed>`
    select id, reference, first_name, last_name, email, phone, company, website, message
    from leads where is_indexed = 0 order by id limit ${sql.lit(BATCH_LEADS)} ${lockOf(db)}`.execute(db)
  const leads = takeWords(BATCH_WORDS, found.rows)
  if (leads.length === 0) return 0
  await addToIndex(db, leads)
  const ids = leads.map(({ id }) => id)
  await db.updateTable('leads').set({ is_indexed: 1 }).where('id', 'in', ids).execute()
  // Merges a small part of the full-text index. SQLite's own `automerge` would occasionally do much more work at once.
  if (!isShared(db))
    await sql`insert into lead_words (lead_words, rank) values ('merge', ${sql.lit(MERGED_PAGES)})`.execute(
      db,
    )
  return leads.length
}

const lockOf = (db: Database): RawBuilder<unknown> => (isShared(db) ? sql`for update skip locked` : sql``)

/** Takes leads until they have this many words in total. The last lead may exceed the limit. */
function takeWords(words: number, rows: readonly Unindexed[]): Indexed[] {
  const leads: Indexed[] = []
  let total = 0
  for (const row of rows) {
    if (total >= words) break
    const found = indexWords(row)
    total += found.length
    leads.push({ id: row.id, words: found.join(' ') })
  }
  return leads
}
