import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { migrate } from './migrate.ts'
import { openAlone } from './open-alone.ts'
import type { Database, Schema } from './schema.ts'
import { assertAge, schemaAge } from './schema-age.ts'
import { WritingSqliteDialect } from './sqlite-dialect.ts'
import { isDiskFailure, NotDurable } from './storage-error.ts'

// better-sqlite3 is synchronous: while it waits for somebody else's lock, nothing else is answered.
const BUSY_TIMEOUT_MS = 250
// A command answers nobody meanwhile: it can wait for the server's turn, and for a backup's.
const COMMAND_BUSY_TIMEOUT_MS = 10_000
// What the operating system keeps of the file is as near; better-sqlite3 would take 16 MB.
const CACHE_KB = 2_000
// The value that `pragma synchronous` reads back for FULL.
const SYNCHRONOUS_FULL = 2

export type OnDiskFailure = (error: Error & { code: string }) => void

/**
 * Opens (or creates) `leads.db` for the server: made durable, checked, and brought to the newest shape.
 * `onDiskFailure` hears of every I/O error that a statement meets later, whoever asked for it.
 */
export async function openDatabase(
  dataDir: string,
  onDiskFailure: OnDiskFailure = () => {},
): Promise<Database> {
  mkdirSync(dataDir, { recursive: true })
  const sqlite = connect(join(dataDir, 'leads.db'), { timeout: BUSY_TIMEOUT_MS })
  try {
    makeDurable(sqlite)
    assertAge(schemaAge(sqlite), 'leads.db', { mayBeOlder: true })
    const db = toKysely(sqlite, onDiskFailure)
    await migrate(db)
    // What a savepoint would undo: in a file it makes an insert three times as slow.
    sqlite.pragma('temp_store = MEMORY')
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Makes a new file of the newest shape, such as a backup of what PostgreSQL keeps. */
export async function createDatabaseFile(file: string): Promise<Database> {
  const db = toKysely(connect(file, {}))
  await migrate(db)
  return db
}

/** Opens `leads.db` beside the server that keeps it. Throws where there is none, or one of another version. */
export function joinDatabase(dataDir: string): Database {
  const sqlite = connect(join(dataDir, 'leads.db'), {
    fileMustExist: true,
    timeout: COMMAND_BUSY_TIMEOUT_MS,
  })
  try {
    assertAge(schemaAge(sqlite), 'leads.db')
    return toKysely(sqlite)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Opens `leads.db` or a backup and keeps everybody else out. Throws `DatabaseInUse`, or for one of another version. */
export function openDatabaseAlone(file: string): Database {
  const sqlite = openAlone(file)
  try {
    assertAge(schemaAge(sqlite), file)
    return toKysely(sqlite)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

const toKysely = (sqlite: Sqlite.Database, onDiskFailure: OnDiskFailure = () => {}) =>
  new Kysely<Schema>({
    dialect: new WritingSqliteDialect(sqlite, (error) => onDiskFailure(error as Error & { code: string })),
    log(event) {
      if (event.level === 'error' && isDiskFailure(event.error)) onDiskFailure(event.error)
    },
  })

function connect(file: string, options: Sqlite.Options) {
  const sqlite = new Sqlite(file, options)
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('secure_delete = ON')
  sqlite.pragma(`cache_size = -${CACHE_KB}`)
  return sqlite
}

/** A 200 means "on disk": every commit is followed by an fsync, and that is checked rather than assumed. */
export function makeDurable(sqlite: Sqlite.Database) {
  const mode = sqlite.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal')
    throw new NotDurable(
      `SQLite cannot use WAL mode here (it stays in ${mode}): the disk of DATA_DIR lacks shared memory or locks. Put DATA_DIR on a local disk.`,
    )
  sqlite.pragma('synchronous = FULL')
  const check = sqlite.pragma('quick_check(1)', { simple: true })
  if (check !== 'ok') throw new Sqlite.SqliteError(String(check), 'SQLITE_CORRUPT')
  // Asked only after the check above has read: right after the switch to WAL the answer can still change.
  if (sqlite.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL)
    throw new NotDurable('SQLite does not keep synchronous=FULL; requests would not survive a power cut')
}
