import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { listOf } from './001-first.ts'

/**
 * Stores which list a lead is in. Until now, that was an expression, and its index had to contain
 * the same text as the queries. Drops indexes that cost a page for each lead: from now on, an id
 * has the time of its lead, and others serve as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isShared = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isShared ? sql`text collate "C"` : sql`text`
  const statements = [
    ...['leads_by_list', 'leads_by_time', 'leads_by_token', 'outbox_waiting'].map(
      (name) => sql`drop index ${sql.ref(name)}`,
    ),
    // The default is for replicas of an earlier version, which still store leads.
    sql`alter table leads add column list ${text} not null default 'open'`,
    sql`update leads set list = ${listOf} where ${listOf} <> 'open'`,
    sql`create index leads_by_list on leads (list, sort_key, id)`,
  ]
  for (const statement of statements) await statement.execute(db)
  // Without statistics of the new column, PostgreSQL would read the whole table for each list.
  if (isShared) await sql`analyze leads`.execute(db)
}
