import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import type { Database, Schema } from './schema.ts'
import { isShared, lockNames } from './shared-database.ts'
import { isBusy, isStorageError } from './storage-error.ts'

// A larger group would block other requests, and Node accepts only one new connection in each turn
// of the event loop.
const MAX_GROUP = 32
// How long a write waits for another program's lock, for example while `leads erase` compacts the
// database.
const LOCK_PATIENCE_MS = 250
const LOCK_RETRY_MS = 20

/**
 * Runs `work` in a transaction, with these names locked, such as `lead Q-1`, on all replicas. When
 * the returned promise resolves, the writes are on disk. After a rollback, `work` may run again, so
 * its only effects must be in the transaction.
 */
export type Write = <Result>(
  work: (transaction: Transaction<Schema>) => Promise<Result>,
  lockedNames?: readonly string[],
) => Promise<Result>

/** Runs `work` in a transaction of its own, with these names locked. */
export const transact = <Result>(
  db: Database,
  work: (transaction: Transaction<Schema>) => Promise<Result>,
  lockedNames: readonly string[] = [],
): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    if (lockedNames.length > 0) await lockNames(transaction, lockedNames)
    return work(transaction)
  })

type Waiting = {
  work: (transaction: Transaction<Schema>) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (reason: unknown) => void
}

/**
 * Runs concurrent writes in one SQLite transaction, so that they share one fsync. If one of them
 * fails, each runs again in a transaction of its own. No write settles before its commit. On
 * PostgreSQL, which groups commits itself, each write is its own transaction.
 */
export function createGroupCommit(db: Database): Write {
  if (isShared(db)) return (work, lockedNames) => transact(db, work, lockedNames)
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

  async function writeGroup(group: readonly Waiting[], patientUntil = performance.now() + LOCK_PATIENCE_MS) {
    try {
      const results = await db.transaction().execute(async (transaction) => {
        const results: unknown[] = []
        for (const { work } of group) results.push(await work(transaction))
        return results
      })
      for (const [index, { resolve }] of group.entries()) resolve(results[index])
    } catch (error) {
      // While SQLite itself waits, no other request runs.
      if (isBusy(error) && performance.now() < patientUntil) {
        await sleep(LOCK_RETRY_MS)
        return writeGroup(group, patientUntil)
      }
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
