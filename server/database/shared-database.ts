import { PostgresAdapter, sql } from 'kysely'
import type { Database } from './schema.ts'

/** Whether replicas may share the database: true for PostgreSQL, false for SQLite. */
export const isShared = (db: Pick<Database, 'getExecutor'>): boolean =>
  db.getExecutor().adapter instanceof PostgresAdapter

/**
 * Locks names, such as `morning` or `lead Q-1`, until the transaction ends. Another transaction
 * that locks one of them waits, even on another replica. Locks them in alphabetical order:
 * otherwise, two transactions could each wait for the other. SQLite needs no locks: its write
 * transactions never overlap.
 */
export async function lockNames(transaction: Database, names: readonly string[]): Promise<void> {
  if (!isShared(transaction)) return
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].toSorted()}::text[]) as name`.execute(transaction)
}

/** A field of a column with JSON text, as text. */
export const jsonField = (db: Database, column: string, field: string) =>
  isShared(db)
    ? sql<string | null>`${sql.ref(column)}::json ->> ${field}`
    : sql<string | null>`${sql.ref(column)} ->> ${field}`
