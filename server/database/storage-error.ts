import Sqlite from 'better-sqlite3'

/** PostgreSQL is unreachable, restarting, full, overloaded, or broken. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
  /** SQLSTATE, or the code of a system error. */
  readonly code: string | undefined

  constructor(cause: unknown) {
    const { message, code } = Object(cause) as { message?: string; code?: string }
    // When several addresses all refuse, the error has no message.
    super(message || `no connection (${code})`, { cause })
    this.code = code
  }
}

/** The database could lose confirmed leads. The message says what to do. */
export class NotDurable extends Error {
  override name = 'NotDurable'
}

// Prefixes: SQLite's extended codes add a suffix.
const sqliteUnavailable = [
  'BUSY',
  'LOCKED',
  'FULL',
  'READONLY',
  'IOERR',
  'CORRUPT',
  'NOTADB',
  'CANTOPEN',
  'PROTOCOL',
  'NOMEM',
]

/**
 * Whether the database fails right now: disk full, locked, read-only, I/O error, or unreachable. Not a violated constraint
 * or wrong SQL: retrying doesn't fix those.
 */
export const isStorageError = (error: unknown): boolean =>
  error instanceof StorageUnavailable ||
  (error instanceof Sqlite.SqliteError &&
    sqliteUnavailable.some((code) => error.code.startsWith(`SQLITE_${code}`)))

// SQLite may report an unreadable page as CORRUPT.
const diskFailures = ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB']

/**
 * Whether the disk failed, or the file is no longer a database. Memory and disk may then differ (after a failed fsync the
 * kernel drops the page and marks it clean), and another write could make it worse. Only a restart, with its check, is
 * safe. PostgreSQL does this itself.
 */
export const isDiskFailure = (error: unknown): error is InstanceType<typeof Sqlite.SqliteError> =>
  error instanceof Sqlite.SqliteError && diskFailures.some((code) => error.code.startsWith(code))
