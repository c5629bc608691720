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

// As JSON writes half of an emoji, which cutting a text can leave, and NUL.
const unknownToPostgres = sql.lit(String.raw`\\u(0000|d[89a-f][0-9a-f]{2})`)
const replaced = sql.lit(String.raw`\\ufffd`)

/**
 * A field of a column with JSON text, as text. PostgreSQL would refuse the whole query if a string
 * in any of the fields had one of the characters that it can't store.
 */
export function jsonField(db: Database, column: string, field: string) {
  const json = sql.ref(column)
  if (!isShared(db)) return sql<string | null>`${json} ->> ${field}`
  const known = sql`case when strpos(${json}, ${sql.lit(String.raw`\u`)}) = 0 then ${json}
    else regexp_replace(${json}, ${unknownToPostgres}, ${replaced}, 'g') end`
  return sql<string | null>`(${known})::json ->> ${field}`
}
