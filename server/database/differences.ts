import { PostgresIntrospector, sql } from 'kysely'
import type { Database } from './schema.ts'

type AnyDatabase = Pick<Database, 'introspection'>

// Most queries call `isShared`. Its results are cached, because each access to `introspection` creates a new object.
const known = new WeakMap<AnyDatabase, boolean>()

/** Whether replicas may share the database: true for PostgreSQL, false for SQLite. */
export function isShared(db: AnyDatabase): boolean {
  const shared = known.get(db) ?? db.introspection instanceof PostgresIntrospector
  known.set(db, shared)
  return shared
}

/**
 * Locks names, such as `digest` or `lead Q-1`, until the transaction ends. Another transaction that locks one of them waits,
 * even on another replica. SQLite needs no locks, because its write transactions never overlap.
 */
export async function lockNames(transaction: Database, names: readonly string[]): Promise<void> {
  if (!isShared(transaction)) return
  // Every transaction locks names in the same order, which prevents deadlocks.
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].toSorted()}::text[]) as name`.execute(transaction)
}

/** Locks the names that no other transaction has locked, without waiting for the rest. Returns the locked names. */
export async function lockFreeNames(transaction: Database, names: readonly string[]): Promise<Set<string>> {
  if (!isShared(transaction)) return new Set(names)
  const { rows } = await sql<{ name: string }>`select name from unnest(${[...new Set(names)]}::text[]) as name
    where pg_try_advisory_xact_lock(hashtextextended(name, 0))`.execute(transaction)
  return new Set(rows.map(({ name }) => name))
}

export async function databaseBytes(db: Database): Promise<number> {
  const { rows } = await (isShared(db)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
  ).execute(db)
  return rows[0]?.bytes ?? 0
}
