import Sqlite from 'better-sqlite3'

/** PostgreSQL did not answer, or not as it should: it is gone, restarting, full, too busy, or not in shape. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
  /** SQLSTATE or the code of the system's error, where there is one. */
  readonly code: string | undefined

  constructor(cause: unknown) {
    const { message, code } = Object(cause) as { message?: string; code?: string }
    // Several addresses that all refuse are an error without words of its own.
    super(message || `no connection (${code})`, { cause })
    this.code = code
  }
}

/** The database does not promise what this program promises. The message says what to do. */
export class NotDurable extends Error {
  override name = 'NotDurable'
}

// By how the codes begin, for SQLite extends them.
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
 * Whether the database cannot do its work right now: disk full, locked, read-only, an I/O error, or out of reach. Not a
 * violated constraint or wrong SQL, which trying again does not cure.
 */
export const isStorageError = (error: unknown): boolean =>
  error instanceof StorageUnavailable ||
  (error instanceof Sqlite.SqliteError &&
    sqliteUnavailable.some((code) => error.code.startsWith(`SQLITE_${code}`)))

// SQLite calls a page that the disk could not read corrupt.
const diskFailures = ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB']

/**
 * Whether the disk itself failed, or what it holds is no longer a database. What SQLite holds in memory and what the
 * disk holds may then differ (after a failed fsync the kernel drops the page and calls it clean), and a write could
 * make it worse, so only a fresh start, with its check, knows the truth. PostgreSQL does the same by itself.
 */
export const isDiskFailure = (error: unknown): error is InstanceType<typeof Sqlite.SqliteError> =>
  error instanceof Sqlite.SqliteError && diskFailures.some((code) => error.code.startsWith(code))
