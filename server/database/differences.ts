import { PostgresAdapter, sql } from 'kysely'
import type { Database } from './schema.ts'

// What the two databases do differently beside opening and migrating them: all of it stands here.

/** Whether other copies of the program may be at work on the same database: PostgreSQL. SQLite belongs to one process. */
export const isShared = (db: Pick<Database, 'getExecutor'>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter

/**
 * Makes this transaction the only one that is about any of these names, until its end. On SQLite every transaction is
 * alone anyway.
 */
export async function lockNames(transaction: Database, names: readonly string[]): Promise<void> {
  if (!isShared(transaction)) return
  // In one order everywhere, so that no two transactions wait for each other.
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].toSorted()}::text[]) as name`.execute(transaction)
}

/** How much room the database takes. */
export async function databaseBytes(db: Database): Promise<number> {
  const { rows } = await (isShared(db)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
  ).execute(db)
  return rows[0]?.bytes ?? 0
}
