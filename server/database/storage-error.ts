import Sqlite from 'better-sqlite3'

/** Whether the database could not do its work: disk full, locked, read-only or an I/O error. */
export const isStorageError = (error: unknown): boolean => error instanceof Sqlite.SqliteError

// SQLite calls a page that the disk could not read corrupt.
const diskFailures = ['SQLITE_IOERR', 'SQLITE_CORRUPT', 'SQLITE_NOTADB']

/**
 * Whether the disk itself failed, or what it holds is no longer a database. What SQLite holds in memory and what the
 * disk holds may then differ (after a failed fsync the kernel drops the page and calls it clean), and a write could
 * make it worse, so only a fresh start, with its check, knows the truth.
 */
export const isDiskFailure = (error: unknown): error is InstanceType<typeof Sqlite.SqliteError> =>
  error instanceof Sqlite.SqliteError && diskFailures.some((code) => error.code.startsWith(code))
