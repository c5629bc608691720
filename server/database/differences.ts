import { PostgresIntrospector, sql } from 'kysely'
import type { Database } from './schema.ts'

type AnyDatabase = Pick<Database, 'introspection'>

// The result is cached, because `isShared` is called for most queries, and `introspection` takes a few microseconds.
const known = new WeakMap<AnyDatabase, boolean>()

/** Whether replicas may share the database: true for PostgreSQL, false for SQLite. */
export function isShared(db: AnyDatabase): boolean {
  const shared = known.get(db) ?? db.introspection instanceof PostgresIntrospector
  known.set(db, shared)
  return shared
}

/**
 * Locks these names until the transaction ends: other transactions that lock one of them wait, on any replica. SQLite
 * needs no locks, because its write transactions never overlap.
 */
export async function lockNames(transaction: Database, names: readonly string[]): Promise<void> {
  if (!isShared(transaction)) return
  // Every transaction locks names in the same order, which prevents deadlocks.
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].toSorted()}::text[]) as name`.execute(transaction)
}

/** Locks those of these names that no other transaction has locked, without waiting, and returns them. */
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
