import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

const CHECKPOINT_TRIES = 3
const CHECKPOINT_RETRY_MS = 500
const MERGED_PAGES = 48
// A merge that began before the deletion may already have copied the deleted words, so one pass is not enough.
const REWRITES = 3
const BETWEEN_MERGES_MS = 2

/**
 * Removes the last traces of deleted rows. `secure_delete` overwrites the rows, but not the copies that SQLite leaves
 * behind when it moves a row to another page (seen in 1 of 3000 deletions). Blocks the database, for seconds if it's large
 * (see commands.md). On PostgreSQL, it only marks the space of deleted rows as free and rebuilds the search index.
 */
export async function rewriteDatabase(db: Database): Promise<void> {
  if (isShared(db)) return rewritePostgres(db)
  await forgetWords(db)
  await db.connection().execute(vacuum)
}

async function rewritePostgres(db: Database) {
  // This names only our tables, because the database may contain others.
  await sql`vacuum leads, outbox, outbox_attempts, lead_events, lead_drafts, lead_index`.execute(db)
  // An interrupted `reindex` leaves this index behind.
  await sql`drop index if exists lead_index_words_ccnew`.execute(db)
  // A GIN index keeps the words of deleted rows forever.
  await sql`reindex index concurrently lead_index_words`.execute(db)
}

/**
 * Removes the words of deleted leads from SQLite's search index, which by itself only marks them as deleted. Rewrites the
 * index in steps of a few milliseconds each. With a million leads, this takes about a minute.
 */
export async function forgetWords(db: Database, isStopping = () => false): Promise<void> {
  if (isShared(db)) return
  for (let pass = 0; pass < REWRITES; pass++) {
    // A negative number starts a merge of the whole index. The statement itself counts as one change, so 1 means done.
    for (let pages = -MERGED_PAGES; (await merge(db, pages)) > 1; pages = MERGED_PAGES) {
      if (isStopping()) return
      await sleep(BETWEEN_MERGES_MS)
    }
  }
}

/** Runs one step of the merge, and returns how many rows it changed. */
const merge = (db: Database, pages: number): Promise<number> =>
  db.transaction().execute(async (transaction) => {
    const before = await countChanges(transaction)
    await sql`insert into lead_words (lead_words, rank) values ('merge', ${pages})`.execute(transaction)
    return (await countChanges(transaction)) - before
  })

async function countChanges(db: Database): Promise<number> {
  const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(db)
  return rows[0]?.changes ?? 0
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
