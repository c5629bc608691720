import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { assertIntact } from './check-integrity.ts'
import { assertAge, migrate } from './migrate.ts'
import { openExclusively } from './open-exclusively.ts'
import type { Database, Schema } from './schema.ts'
import { schemaAge } from './schema-age.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { isDiskFailure, NotDurable } from './storage-error.ts'

// Short, because better-sqlite3 is synchronous: waiting for a lock blocks all requests.
const BUSY_TIMEOUT_MS = 250
// A command blocks no requests, so it can wait longer.
const COMMAND_BUSY_TIMEOUT_MS = 10_000
// A small cache is enough, because the OS caches the file, too. The default of better-sqlite3 is 16 MB.
const CACHE_KB = 2_000
// A checkpoint writes a changed page only once, however often it changed. With SQLite's default (1,000 pages), a lead costs a
// seventh more bytes written.
const WAL_PAGES = 4_000
// What `pragma synchronous` returns for FULL.
const SYNCHRONOUS_FULL = 2

type OnDiskFailure = (error: Error & { code: string }) => void

/**
 * Opens or creates `leads.db` for the server, checks it (unless `isCheckedLater` and no migration is needed), and migrates
 * it. Calls `onDiskFailure` for every later disk failure.
 */
export async function openDatabase(
  dataDir: string,
  onDiskFailure: OnDiskFailure = () => {},
  { isCheckedLater = false } = {},
): Promise<Database> {
  mkdirSync(dataDir, { recursive: true })
  const sqlite = connect(join(dataDir, 'leads.db'), { timeout: BUSY_TIMEOUT_MS })
  try {
    const age = schemaAge(sqlite)
    // Do this first, so that another program's file isn't changed.
    assertAge(age, 'leads.db', { mayBeOlder: true })
    enableWal(sqlite)
    // A migration rewrites the file, so check it before any migration, whatever its size.
    if (!isCheckedLater || age === 'older') assertIntact(sqlite)
    assertDurable(sqlite)
    const db = toKysely(sqlite, onDiskFailure)
    await migrate(db)
    // Savepoints keep their undo data in temporary storage. If that were a file, inserts would take three times as long.
    sqlite.pragma('temp_store = MEMORY')
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Creates a database file with the latest schema. */
export async function createDatabaseFile(file: string): Promise<Database> {
  const db = toKysely(connect(file, {}))
  await migrate(db)
  return db
}

/** Opens an existing `leads.db` for a command, even while the server runs. Throws `OtherVersion` if its schema differs. */
export function openExistingDatabase(dataDir: string): Database {
  const options = { fileMustExist: true, timeout: COMMAND_BUSY_TIMEOUT_MS }
  return openCurrentVersion(connect(join(dataDir, 'leads.db'), options), 'leads.db')
}

/** Opens `leads.db` only for reading, even while the server runs. Throws `OtherVersion` if its schema differs. */
export function openForReading(dataDir: string): Database {
  const options = { readonly: true, fileMustExist: true, timeout: COMMAND_BUSY_TIMEOUT_MS }
  const sqlite = connect(join(dataDir, 'leads.db'), options)
  // Queries sort in memory instead of in a temporary file.
  sqlite.pragma('temp_store = MEMORY')
  return openCurrentVersion(sqlite, 'leads.db')
}

/** Opens `leads.db` or a backup exclusively: see `openExclusively`. Throws `OtherVersion` if its schema differs. */
export const openDatabaseExclusively = (file: string): Database =>
  openCurrentVersion(openExclusively(file), file)

function openCurrentVersion(sqlite: Sqlite.Database, name: string): Database {
  try {
    assertAge(schemaAge(sqlite), name)
    return toKysely(sqlite)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

const toKysely = (sqlite: Sqlite.Database, onDiskFailure: OnDiskFailure = () => {}) =>
  new Kysely<Schema>({
    dialect: createSqliteDialect(sqlite, (error) => onDiskFailure(error as Error & { code: string })),
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
  sqlite.pragma(`wal_autocheckpoint = ${WAL_PAGES}`)
  return sqlite
}

/** Switches to WAL mode. Throws `NotDurable` if the disk doesn't support it. */
export function enableWal(sqlite: Sqlite.Database) {
  const mode = sqlite.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal')
    throw new NotDurable(
      `SQLite cannot use WAL mode here (it stays in ${mode}): the disk of DATA_DIR doesn't support shared memory or locks. Put DATA_DIR on a local disk.`,
    )
  sqlite.pragma('synchronous = FULL')
}

/**
 * Throws `NotDurable` unless SQLite syncs every commit, so that a confirmed lead is on disk. Call this after the first read
 * in WAL mode: until then, the setting can still change.
 */
function assertDurable(sqlite: Sqlite.Database) {
  if (sqlite.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL)
    throw new NotDurable('SQLite ignores synchronous=FULL: leads would not survive a power failure.')
}
