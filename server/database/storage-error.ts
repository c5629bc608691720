import Sqlite from 'better-sqlite3'

/** Whether the database could not do its work: disk full, locked, read-only or an I/O error. */
export const isStorageError = (error: unknown): boolean => error instanceof Sqlite.SqliteError

/**
 * Whether the disk itself failed. What SQLite holds in memory and what the disk holds may then differ (after a failed
 * fsync the kernel drops the page and calls it clean), so only a fresh start knows the truth.
 */
export const isDiskFailure = (error: unknown): error is InstanceType<typeof Sqlite.SqliteError> =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_IOERR')
