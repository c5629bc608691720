import Sqlite from 'better-sqlite3'

/** Whether the database could not do its work: disk full, locked, read-only or an I/O error. */
export const isStorageError = (error: unknown): boolean => error instanceof Sqlite.SqliteError
