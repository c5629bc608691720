import Sqlite from 'better-sqlite3'
import { identityOf } from './identity-of.ts'

// Long enough to wait for a short read by another command.
const LOCK_TIMEOUT_MS = 2_000

/**
 * Opens a database exclusively, and merges its write-ahead log into it, so that it's a single file. Throws `DatabaseInUse`
 * if another program has it open.
 */
export function openExclusively(path: string): Sqlite.Database {
  const before = identityOf(path)
  const sqlite = new Sqlite(path, { fileMustExist: true, timeout: LOCK_TIMEOUT_MS })
  try {
    sqlite.pragma('synchronous = FULL')
    // Fails if another connection exists. In exclusive mode, SQLite would keep the journal file, so that mode comes later.
    sqlite.pragma('journal_mode = DELETE')
    sqlite.pragma('locking_mode = EXCLUSIVE')
    // Acquires the lock. Exclusive mode keeps it.
    sqlite.exec('begin exclusive; commit')
    const isStillExclusive = sqlite.pragma('journal_mode', { simple: true }) === 'delete'
    if (!isStillExclusive || identityOf(path) !== before) throw new DatabaseInUse(path)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw isBusy(error) ? new DatabaseInUse(path) : error
  }
}

/** Whether the error means that another connection has the lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Another program has the database open. */
export class DatabaseInUse extends Error {
  override name = 'DatabaseInUse'

  constructor(path: string) {
    super(
      `${path} is in use by another program. Stop the server, close any other program that has it open, then try again.`,
    )
  }
}
