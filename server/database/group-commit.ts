import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { isShared, lockNames } from './differences.ts'
import type { Database, Schema } from './schema.ts'
import { isStorageError } from './storage-error.ts'

// A larger group would block other requests, and Node accepts only one new connection in each turn of the event loop.
const MAX_GROUP = 32

/**
 * Runs `work` in a transaction, with these names locked: see `lockNames`. When the returned promise resolves, the writes are
 * on disk. After a rollback, `work` may run again, so its only effects must be in the transaction.
 */
export type Write = <Result>(
  work: (transaction: Transaction<Schema>) => Promise<Result>,
  lockedNames?: readonly string[],
) => Promise<Result>

type Waiting = {
  work: (transaction: Transaction<Schema>) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (reason: unknown) => void
}

/**
 * Runs concurrent writes in one SQLite transaction, so that they share one fsync. If one of them fails, each runs again in a
 * transaction of its own. No write settles before its commit. On PostgreSQL, which groups commits itself, each write is its
 * own transaction.
 */
export function createGroupCommit(db: Database): Write {
  if (isShared(db))
    return (work, lockedNames = []) =>
      db.transaction().execute(async (transaction) => {
        if (lockedNames.length > 0) await lockNames(transaction, lockedNames)
        return work(transaction)
      })
  const waiting: Waiting[] = []
  let isRunning = false

  async function writeAll() {
    isRunning = true
    while (waiting.length > 0) {
      // Wait, so that other writes of this turn of the event loop join the group.
      await nextTurn()
      await writeGroup(waiting.splice(0, MAX_GROUP))
    }
    isRunning = false
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const results = await db.transaction().execute(async (transaction) => {
        const results: unknown[] = []
        for (const { work } of group) results.push(await work(transaction))
        return results
      })
      for (const [index, { resolve }] of group.entries()) resolve(results[index])
    } catch (error) {
      const isOnesFault = group.length > 1 && !isStorageError(error)
      for (const write of group) isOnesFault ? await writeGroup([write]) : write.reject(error)
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
      if (!isRunning) writeAll()
    })
}
