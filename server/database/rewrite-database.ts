import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

const CHECKPOINT_TRIES = 3
const CHECKPOINT_RETRY_MS = 500

/**
 * Removes the last traces of deleted rows. `secure_delete` overwrites the rows, but not the copies that SQLite leaves behind
 * when it moves a row to another page (seen in 1 of 3000 deletions). Locks SQLite for about a second per 150 MB. On
 * PostgreSQL, only marks the space as free.
 */
export async function rewriteDatabase(db: Database): Promise<void> {
  // Only our tables: the database may contain others.
  if (isShared(db)) await sql`vacuum leads, outbox, outbox_attempts`.execute(db)
  else await db.connection().execute(vacuum)
}

/** Uses a temporary file because the database may not fit in memory. */
async function vacuum(connection: Database) {
  await sql`pragma temp_store = file`.execute(connection)
  try {
    await sql`vacuum`.execute(connection)
  } finally {
    await sql`pragma temp_store = memory`.execute(connection)
  }
}

/** Empties SQLite's write-ahead log, which still contains deleted rows. Returns false if readers prevented it. */
export async function truncateWal(db: Database, maxTries = CHECKPOINT_TRIES): Promise<boolean> {
  if (isShared(db)) return true
  for (let tries = 1; ; tries++) {
    const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
    if (rows[0]?.busy !== 1) return true
    if (tries === maxTries) return false
    await sleep(CHECKPOINT_RETRY_MS)
  }
}
