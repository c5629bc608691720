import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './schema.ts'

const CHECKPOINT_TRIES = 3
const CHECKPOINT_AGAIN_MS = 500

/**
 * Writes the database anew, row by row. `secure_delete` overwrites the row that is deleted, but not the copies of it
 * that SQLite left in a page when it moved the row to another one (seen in 1 of 3000 deletions): these go only so. Holds
 * the lock for about a second per 150 MB. Throws SQLITE_BUSY where somebody else writes for longer than the time-out.
 */
export async function rewriteDatabase(db: Database): Promise<void> {
  await sql`vacuum`.execute(db)
}

/**
 * Moves the write-ahead log into the database and empties it, for it still holds what was deleted. False where somebody
 * kept reading from it all the time. Each try waits for the reader as long as the connection waits for a lock.
 */
export async function emptyLog(db: Database, triesAtMost = CHECKPOINT_TRIES): Promise<boolean> {
  for (let tries = 1; ; tries++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    if (rows[0]?.busy !== 1) return true
    if (tries === triesAtMost) return false
    await sleep(CHECKPOINT_AGAIN_MS)
  }
}
