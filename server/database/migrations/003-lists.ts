import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { listOf } from './001-first.ts'

/**
 * Makes the list that a lead is in a column, which the database computes: it can't differ from what
 * it follows from, even while replicas of an earlier version change leads. Until now, the index and
 * all queries had to contain the same expression. Drops indexes that cost a page for each lead:
 * from now on, an id has the time of its lead, and others serve as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isShared = db.getExecutor().adapter instanceof PostgresAdapter
  // SQLite can add only a column that isn't stored, but its index is.
  const type = isShared ? sql`text collate "C"` : sql`text`
  const kept = isShared ? sql`stored` : sql`virtual`
  const statements = [
    ...['leads_by_list', 'leads_by_time', 'leads_by_token', 'outbox_waiting'].map(
      (name) => sql`drop index ${sql.ref(name)}`,
    ),
    sql`alter table leads add column list ${type} generated always as (${listOf}) ${kept}`,
    sql`create index leads_by_list on leads (list, sort_key, id)`,
  ]
  for (const statement of statements) await statement.execute(db)
  // Without statistics of the new column, PostgreSQL would read the whole table for each list.
  if (isShared) await sql`analyze leads`.execute(db)
}
