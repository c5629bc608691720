import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { migrate, type OnProgress } from './migrate.ts'
import { openAlone } from './open-alone.ts'
import type { Database, Schema } from './schema.ts'
import { assertAge, schemaAge } from './schema-age.ts'
import { WritingSqliteDialect } from './sqlite-dialect.ts'
import { isDiskFailure, NotDurable } from './storage-error.ts'

// better-sqlite3 is synchronous: waiting for a lock blocks all requests.
const BUSY_TIMEOUT_MS = 250
// A command blocks nobody, so it can wait for the server or a backup.
const COMMAND_BUSY_TIMEOUT_MS = 10_000
// Small, because the OS caches the file anyway; the default of better-sqlite3 is 16 MB.
const CACHE_KB = 2_000
// The value that `pragma synchronous` reads back for FULL.
const SYNCHRONOUS_FULL = 2

type OnDiskFailure = (error: Error & { code: string }) => void

/**
 * Opens or creates `leads.db` for the server, makes it durable, checks it, and migrates it.
 * Calls `onDiskFailure` for every later disk failure, whichever query meets it.
 */
export async function openDatabase(
  dataDir: string,
  onDiskFailure: OnDiskFailure = () => {},
  onProgress?: OnProgress,
): Promise<Database> {
  mkdirSync(dataDir, { recursive: true })
  const sqlite = connect(join(dataDir, 'leads.db'), { timeout: BUSY_TIMEOUT_MS })
  try {
    makeDurable(sqlite)
    assertAge(schemaAge(sqlite), 'leads.db', { mayBeOlder: true })
    const db = toKysely(sqlite, onDiskFailure)
    await migrate(db, undefined, onProgress)
    // For the undo data of savepoints: in a file, it makes inserts three times as slow.
    sqlite.pragma('temp_store = MEMORY')
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Creates a database file with the latest schema, such as a backup of PostgreSQL. */
export async function createDatabaseFile(file: string): Promise<Database> {
  const db = toKysely(connect(file, {}))
  await migrate(db)
  return db
}

/** Opens `leads.db` next to a running server. Throws if it doesn't exist or has another version. */
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

/** Opens `leads.db` or a backup exclusively. Throws `DatabaseInUse`, or `OtherVersion`. */
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

/** A 200 means "on disk": enables an fsync after every commit, and checks that it's on. */
export function makeDurable(sqlite: Sqlite.Database) {
  const mode = sqlite.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal')
    throw new NotDurable(
      `SQLite cannot use WAL mode here (it stays in ${mode}): the disk of DATA_DIR doesn't support shared memory or locks. Put DATA_DIR on a local disk.`,
    )
  sqlite.pragma('synchronous = FULL')
  const check = sqlite.pragma('quick_check(1)', { simple: true })
  if (check !== 'ok') throw new Sqlite.SqliteError(String(check), 'SQLITE_CORRUPT')
  // Only after the check above has read from the file: right after the switch to WAL, the value can still change.
  if (sqlite.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL)
    throw new NotDurable('SQLite ignores synchronous=FULL: leads would not survive a power cut.')
}
