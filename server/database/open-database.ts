import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate } from './migrate.ts'
import type { Database, Schema } from './schema.ts'

// better-sqlite3 is synchronous: while it waits for somebody else's lock, nothing else is answered.
const BUSY_TIMEOUT_MS = 250
// The value that `pragma synchronous` reads back for FULL.
const SYNCHRONOUS_FULL = 2

/** Opens (or creates) `leads.db` in the data directory, checks it, and brings it to the newest shape. */
export async function openDatabase(dataDir: string): Promise<Database> {
  mkdirSync(dataDir, { recursive: true })
  const sqlite = new Sqlite(join(dataDir, 'leads.db'), { timeout: BUSY_TIMEOUT_MS })
  try {
    makeDurable(sqlite)
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) })
    await migrate(db)
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** A 200 means "on disk": every commit is followed by an fsync, and that is checked rather than assumed. */
function makeDurable(sqlite: Sqlite.Database) {
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('secure_delete = ON')
  const check = sqlite.pragma('quick_check(1)', { simple: true })
  if (check !== 'ok') throw new Error(`leads.db is damaged: ${String(check)}`)
  // Asked only after the read above: right after the switch to WAL the answer can still change.
  sqlite.prepare('select count(*) from sqlite_schema').get()
  if (sqlite.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL)
    throw new Error('SQLite does not keep synchronous=FULL; requests would not survive a power cut')
}
