import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

const CHECKPOINT_TRIES = 3
const CHECKPOINT_AGAIN_MS = 500

/**
 * Writes the database anew, row by row. `secure_delete` overwrites the row that is deleted, but not the copies of it
 * that SQLite left in a page when it moved the row to another one (seen in 1 of 3000 deletions): these go only so. Holds
 * the lock for about a second per 150 MB. Throws SQLITE_BUSY where somebody else writes for longer than the time-out.
 * PostgreSQL frees the room of deleted rows, beside whoever works, to be overwritten by the next ones.
 */
export async function rewriteDatabase(db: Database): Promise<void> {
  // Beside what else the server holds, which is not ours.
  if (isShared(db)) await sql`vacuum leads, outbox, outbox_attempts`.execute(db)
  else await db.connection().execute(vacuum)
}

/** Through a file: the server keeps what is temporary in memory, where a copy of the whole database has no room. */
async function vacuum(connection: Database) {
  await sql`pragma temp_store = file`.execute(connection)
  try {
    await sql`vacuum`.execute(connection)
  } finally {
    await sql`pragma temp_store = memory`.execute(connection)
  }
}

/**
 * Moves the write-ahead log into the database and empties it, for it still holds what was deleted. False where somebody
 * kept reading from it all the time. Each try waits for the reader as long as the connection waits for a lock.
 * The log of PostgreSQL is its operator's.
 */
export async function emptyLog(db: Database, triesAtMost = CHECKPOINT_TRIES): Promise<boolean> {
  if (isShared(db)) return true
  for (let tries = 1; ; tries++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    if (rows[0]?.busy !== 1) return true
    if (tries === triesAtMost) return false
    await sleep(CHECKPOINT_AGAIN_MS)
  }
}
