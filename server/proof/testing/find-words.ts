import { sql } from 'kysely'
import { searchTerms } from '#shared/search-words.ts'
import { isShared } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import { indexSome } from '../../inbox/search/index-some.ts'

/** Adds all leads to the search index. */
export async function indexAll(db: Database): Promise<void> {
  while ((await db.transaction().execute(indexSome)) > 0);
}

/** Searches the index. Returns the references of the matching leads. */
export async function findWords(db: Database, search: string): Promise<string[]> {
  const terms = searchTerms(search)
  const found = isShared(db)
    ? sql`words @@ ${terms.map((term) => `'${term}':*`).join(' & ')}::tsquery`
    : sql`number in (select rowid from lead_words where lead_words match ${terms.map((term) => `"${term}"*`).join(' ')})`
  const { rows } = await sql<{ reference: string }>`
    select reference from lead_index join leads on leads.id = lead_id where ${found} order by number`.execute(
    db,
  )
  return rows.map(({ reference }) => reference)
}
