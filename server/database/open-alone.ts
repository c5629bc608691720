import Sqlite from 'better-sqlite3'
import { identityOf } from './identity-of.ts'

// A command that only reads for a moment is worth waiting for; a server is not.
const PATIENCE_MS = 2_000

/**
 * Opens a database that nobody else has open, and keeps everybody out until it is closed. Its logs are played into it
 * first, so that it is one file. Throws `DatabaseInUse`, or SQLite's own error where the file is damaged.
 */
export function openAlone(path: string): Sqlite.Database {
  const before = identityOf(path)
  const sqlite = new Sqlite(path, { fileMustExist: true, timeout: PATIENCE_MS })
  try {
    sqlite.pragma('synchronous = FULL')
    // Leaving WAL mode is refused while anybody else has the file open. Not in exclusive mode yet: there the journal of
    // this very change would stay beside the file.
    sqlite.pragma('journal_mode = DELETE')
    sqlite.pragma('locking_mode = EXCLUSIVE')
    // Takes the lock, which that mode keeps.
    sqlite.exec('begin exclusive; commit')
    const isStillAlone = sqlite.pragma('journal_mode', { simple: true }) === 'delete'
    if (!isStillAlone || identityOf(path) !== before) throw new DatabaseInUse(path)
    return sqlite
  } catch (error) {
    sqlite.close()
    throw isBusy(error) ? new DatabaseInUse(path) : error
  }
}

/** Whether somebody else holds the lock. */
export const isBusy = (error: unknown): boolean =>
  error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY')

/** Another program has the database open, where it must not. */
export class DatabaseInUse extends Error {
  override name = 'DatabaseInUse'

  constructor(path: string) {
    super(
      `${path} is in use by another program. Stop the server, close everything else that has it open, then try again.`,
    )
  }
}
