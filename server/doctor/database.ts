import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { count } from '#shared/count.ts'
import { assertAge } from '../database/migrate.ts'
import { connect, readAge } from '../database/postgres.ts'
import type { Database } from '../database/schema.ts'
import { openExistingDatabase } from '../database/sqlite.ts'
import type { Env } from '../env.ts'
import { type Found, ok, warning } from './check.ts'

/**
 * Opens the database for checks while the server uses it, by default only to read. Returns
 * undefined if there is no `leads.db` yet.
 */
export function openDatabase({ DATABASE_URL, DATA_DIR }: Env, writes = false): Database | undefined {
  if (DATABASE_URL) return connect(DATABASE_URL, 'visitor')
  const path = join(DATA_DIR, 'leads.db')
  if (!statSync(path, { throwIfNoEntry: false })) return undefined
  // A journal is left if a change was interrupted. To roll the change back, SQLite needs write
  // access.
  return openExistingDatabase(DATA_DIR, { readonly: !writes && !existsSync(`${path}-journal`) })
}

/**
 * Checks that the database belongs to this version of the program, and that SQLite's file isn't
 * damaged.
 */
export async function checkDatabase(db: Database | undefined, { DATABASE_URL }: Env): Promise<Found> {
  if (!db) return warning('There is no leads.db yet.', 'Start the server once; it creates the database.')
  if (DATABASE_URL) assertAge(await readAge(db), 'The database')
  else {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db)
    const check = rows[0]?.quick_check
    if (check !== 'ok') throw new Sqlite.SqliteError(String(check), 'SQLITE_CORRUPT')
  }
  const leads = db.selectFrom('leads').select(({ fn }) => fn.countAll<number>().as('leads'))
  return ok(`The database is intact, with ${count((await leads.executeTakeFirstOrThrow()).leads, 'lead')}.`)
}
