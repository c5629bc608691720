import { statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { OperatorError } from '../errors/error-facts.ts'
import { assertAge, compareAge, migrate, type SchemaAge } from './migrate.ts'
import type { Database, Schema } from './schema.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { isBusy, isDiskFailure } from './storage-error.ts'

// Waiting for another program's lock blocks all requests, so this is only long enough for a command
// that changes a lead. Writes wait longer, without blocking: see group-commit.ts.
const SERVER_TIMEOUT_MS = 20
// A command blocks no requests, so it can wait.
const COMMAND_TIMEOUT_MS = 10_000
// Long enough to wait for a short read by another command.
const EXCLUSIVE_TIMEOUT_MS = 2_000
// A small cache is enough, because the OS caches the file, too. The default of better-sqlite3 is 16
// MB.
const CACHE_KB = 2_000
// What `pragma synchronous` returns for FULL.
const SYNCHRONOUS_FULL = 2
// Up to this size, the file is checked at each start. SQLite checks about 500 MB per second.
const CHECKED_BYTES = 64 * 1024 * 1024

export type OnDiskFailure = (error: Error & { code: string }) => void

/**
 * Opens or creates `leads.db` for the server, checks it, and migrates it. A large file is only
 * checked before a migration: the check would delay the start, and each backup checks the whole
 * file, too. Calls `onDiskFailure` for every later disk failure.
 */
export async function openDatabase(
  dataDir: string,
  onDiskFailure: OnDiskFailure = () => {},
): Promise<Database> {
  const file = join(dataDir, 'leads.db')
  // Nobody waits for the server yet, and `leads erase` may be compacting the database.
  const sqlite = connect(file, { timeout: COMMAND_TIMEOUT_MS })
  try {
    const age = schemaAge(sqlite)
    // Do this first, so that another program's file isn't changed.
    assertAge(age, 'leads.db', { mayBeOlder: true })
    makeDurable(sqlite)
    if (age === 'older' || statSync(file).size <= CHECKED_BYTES) assertIntact(sqlite)
    const db = toKysely(sqlite, onDiskFailure)
    await migrate(db)
    sqlite.pragma(`busy_timeout = ${SERVER_TIMEOUT_MS}`)
    return db
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Creates a database file with the latest schema. */
export async function createDatabaseFile(file: string): Promise<Database> {
  const db = toKysely(connect(file))
  await migrate(db)
  return db
}

/**
 * Opens an existing `leads.db` for a command, even while the server runs. Throws if its schema
 * differs.
 */
export function openExistingDatabase(dataDir: string, { readonly = false } = {}): Database {
  const options = { fileMustExist: true, timeout: COMMAND_TIMEOUT_MS, readonly }
  return openIf(connect(join(dataDir, 'leads.db'), options), 'leads.db')
}

/**
 * Opens `leads.db` or a backup exclusively: see `openExclusively`. Throws if it's from a newer
 * version. It may be older: before you use its contents, migrate it.
 */
export const openDatabaseExclusively = (file: string): Database =>
  openIf(openExclusively(file), file, { mayBeOlder: true })

/**
 * Opens a database exclusively, and merges its write-ahead log into it, so that it's a single file.
 * Throws if another program has it open.
 */
export function openExclusively(path: string): Sqlite.Database {
  const sqlite = connect(path, { fileMustExist: true, timeout: EXCLUSIVE_TIMEOUT_MS })
  try {
    // Fails if another connection exists. In exclusive mode, SQLite would keep the journal file, so
    // that mode comes later.
    sqlite.pragma('journal_mode = DELETE')
    sqlite.pragma('locking_mode = EXCLUSIVE')
    // Acquires the lock. Exclusive mode keeps it.
    sqlite.exec('begin exclusive; commit')
    return sqlite
  } catch (error) {
    sqlite.close()
    if (!isBusy(error)) throw error
    throw new OperatorError(
      `${path} is in use by another program. Stop the server, close any other program that has it open, then try again.`,
    )
  }
}

function openIf(sqlite: Sqlite.Database, name: string, options = { mayBeOlder: false }): Database {
  try {
    assertAge(schemaAge(sqlite), name, options)
    return toKysely(sqlite)
  } catch (error) {
    sqlite.close()
    throw error
  }
}

/** Wraps an open database. */
export const toKysely = (sqlite: Sqlite.Database, onDiskFailure: OnDiskFailure = () => {}) =>
  new Kysely<Schema>({
    dialect: createSqliteDialect(sqlite),
    log(event) {
      if (event.level === 'error' && isDiskFailure(event.error)) onDiskFailure(event.error)
    },
  })

function connect(file: string, options: Sqlite.Options = {}) {
  const sqlite = new Sqlite(file, options)
  sqlite.pragma('synchronous = FULL')
  sqlite.pragma('foreign_keys = ON')
  sqlite.pragma('secure_delete = ON')
  sqlite.pragma(`cache_size = -${CACHE_KB}`)
  return sqlite
}

/**
 * Makes SQLite sync every commit, so that a confirmed lead is on disk. Throws if that isn't
 * possible here.
 */
function makeDurable(sqlite: Sqlite.Database) {
  const mode = sqlite.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal')
    throw new OperatorError(
      `SQLite cannot use WAL mode here (it stays in ${mode}): the disk of DATA_DIR doesn't support shared memory or locks. Put DATA_DIR on a local disk.`,
    )
  sqlite.pragma('synchronous = FULL')
  // Until the first read in WAL mode, the setting can still change.
  sqlite.prepare('select 1 from sqlite_schema').get()
  if (sqlite.pragma('synchronous', { simple: true }) !== SYNCHRONOUS_FULL)
    throw new OperatorError('SQLite ignores synchronous=FULL: leads would not survive a power failure.')
}

/** Throws `SQLITE_CORRUPT` if the database is damaged. */
function assertIntact(sqlite: Sqlite.Database) {
  const result = sqlite.pragma('quick_check(1)', { simple: true })
  if (result !== 'ok') throw new Sqlite.SqliteError(String(result), 'SQLITE_CORRUPT')
}

/** Compares the schema of a database file with this program's. */
export function schemaAge(sqlite: Sqlite.Database): SchemaAge {
  const tables = sqlite
    .prepare<[], string>("select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*'")
    .pluck()
    .all()
  if (!tables.includes('kysely_migration')) return compareAge(tables)
  return compareAge(sqlite.prepare<[], string>('select name from kysely_migration').pluck().all())
}
