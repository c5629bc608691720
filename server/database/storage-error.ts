import Sqlite from 'better-sqlite3'
import { messageOf } from '../errors/error-facts.ts'

/** PostgreSQL is unreachable, restarting, full, overloaded, or broken. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable'
  /** The SQLSTATE or a system error code. */
  readonly code: string | undefined

  constructor(cause: unknown) {
    super(messageOf(cause), { cause })
    this.code = Object(cause).code
  }
}

/** Whether the error means that another connection has the lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')

const sqliteUnavailable = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CORRUPT|NOTADB|CANTOPEN|PROTOCOL|NOMEM)/

/**
 * Whether the database can't be used right now: disk full, locked, read-only, I/O error, or
 * unreachable.
 */
export const isStorageError = (error: unknown): boolean =>
  error instanceof StorageUnavailable ||
  (error instanceof Sqlite.SqliteError && sqliteUnavailable.test(error.code))

/**
 * Whether the disk failed or the file is no longer a database. The server must restart and check
 * the file: after a failed fsync, memory and disk can differ, and another write could increase the
 * damage.
 */
export const isDiskFailure = (error: unknown): error is InstanceType<typeof Sqlite.SqliteError> =>
  // CORRUPT can also mean that the disk failed: SQLite may report an unreadable page that way.
  error instanceof Sqlite.SqliteError && /^SQLITE_(IOERR|CORRUPT|NOTADB)/.test(error.code)
