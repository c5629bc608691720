import { PostgresIntrospector, sql } from 'kysely'
import type { Database } from './schema.ts'

type AnyDatabase = Pick<Database, 'introspection'>

// `introspection` takes a few microseconds: ask once per database or transaction.
const known = new WeakMap<AnyDatabase, boolean>()

/** Whether other replicas may use the same database: true for PostgreSQL. SQLite belongs to one process. */
export function isShared(db: AnyDatabase): boolean {
  const shared = known.get(db) ?? db.introspection instanceof PostgresIntrospector
  known.set(db, shared)
  return shared
}

/** Locks these names until the transaction ends, across replicas. SQLite runs one write transaction at a time anyway. */
export async function lockNames(transaction: Database, names: readonly string[]): Promise<void> {
  if (!isShared(transaction)) return
  // Always in the same order, to prevent deadlocks.
  await sql`select pg_advisory_xact_lock(hashtextextended(name, 0))
    from unnest(${[...new Set(names)].toSorted()}::text[]) as name`.execute(transaction)
}

/** The size of the database on disk. */
export async function databaseBytes(db: Database): Promise<number> {
  const { rows } = await (isShared(db)
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`
        select page_count * page_size as bytes from pragma_page_count, pragma_page_size`
  ).execute(db)
  return rows[0]?.bytes ?? 0
}
