import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

const MERGED_PAGES = 48
// A merge that began before the deletion may already have copied the deleted words, so one pass is not enough.
const REWRITES = 3
const BETWEEN_MERGES_MS = 2

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
