import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import type { Database, Schema } from './schema.ts'
import { NewerDatabase, schemaAge } from './schema-age.ts'
import { WritingSqliteDialect } from './sqlite-dialect.ts'
import { isDiskFailure } from './storage-error.ts'

// better-sqlite3 is synchronous: while it waits for somebody else's lock, nothing else is answered.
const BUSY_TIMEOUT_MS = 250
// The value that `pragma synchronous` reads back for FULL.
const SYNCHRONOUS_FULL = 2

type OnDiskFailure = (error: Error & { code: string }) => void

/**
 * Opens (or creates) `leads.db` for the server: made durable, checked, and brought to the newest shape.
 * `onDiskFailure` hears of every I/O error that a statement meets later, whoever asked for it.
 */
export async function openDatabase(
  dataDir: string,
  onDiskFailure: OnDiskFailure = () => {},
): Promise<Database> {
  mkdirSync(dataDir, { recursive: true })
  const sqlite = connect(dataDir)
  try {
    makeDurable(sqlite)
    if (schemaAge(sqlite) === 'newer')
      throw new NewerDatabase('leads.db was written by a newer version of this program. Start that version.')
    const db = toKysely(sqlite, onDiskFailure)
    await migrate(db)
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Opens `leads.db` beside the server that keeps it, as it is. Throws where there is none. */
export const joinDatabase = (dataDir: string): Database => toKysely(connect(dataDir, { fileMustExist: true }))

const toKysely = (sqlite: Sqlite.Database, onDiskFailure: OnDiskFailure = () => {}) =>
  new Kysely<Schema>({
    dialect: new WritingSqliteDialect(sqlite),
    log(event) {
      if (event.level === 'error' && isDiskFailure(event.error)) onDiskFailure(event.error)
    },
  })

function connect(dataDir: string, options: Sqlite.Options = {}) {
  const sqlite = new Sqlite(join(dataDir, 'leads.db'), { ...options, timeout: BUSY_TIMEOUT_MS })
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('secure_delete = ON')
  return sqlite
}

/** A 200 means "on disk": every commit is followed by an fsync, and that is checked rather than assumed. */
function makeDurable(sqlite: Sqlite.Database) {
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('synchronous = FULL')
  const check = sqlite.pragma('quick_check(1)', { simple: true })
  if (check !== 'ok') throw new Sqlite.SqliteError(String(check), 'SQLITE_CORRUPT')
  // Asked only after the check above has read: right after the switch to WAL the answer can still change.
  if (sqlite.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL)
    throw new Error('SQLite does not keep synchronous=FULL; requests would not survive a power cut')
}
