import { setImmediate as nextTurn } from 'node:timers/promises'
import { CompiledQuery, type Transaction } from 'kysely'
import { isShared } from './differences.ts'
import type { Database, Schema } from './schema.ts'

/** Runs `work` in a transaction. When the returned promise resolves, the writes are on disk. */
export type Write = <Result>(work: (transaction: Transaction<Schema>) => Promise<Result>) => Promise<Result>

type Waiting = {
  work: (transaction: Transaction<Schema>) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (reason: unknown) => void
}

/**
 * Runs concurrent writes in one SQLite transaction, so that they share one fsync. Each write has a savepoint, so an error
 * undoes only that write. No write settles before the commit; if the commit fails, all reject. On PostgreSQL, which groups
 * commits itself, each write is its own transaction.
 */
export function createGroupCommit(db: Database): Write {
  if (isShared(db)) return (work) => db.transaction().execute(work)
  let waiting: Waiting[] = []
  let isRunning = false

  async function writeAll() {
    isRunning = true
    while (waiting.length > 0) {
      // Wait, so that other writes of this turn of the event loop join the group.
      await nextTurn()
      await writeGroup()
    }
    isRunning = false
  }

  async function writeGroup() {
    const group = waiting
    waiting = []
    try {
      const settleAll = await db.transaction().execute(async (transaction) => {
        const settles: (() => void)[] = []
        const run = group.length > 1 ? runInSavepoint : runAlone
        for (const write of group) settles.push(await run(transaction, write))
        return settles
      })
      for (const settle of settleAll) settle()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
      if (!isRunning) writeAll()
    })
}

/** A single write needs no savepoint: an error rolls back the transaction. */
async function runAlone(transaction: Transaction<Schema>, { work, resolve }: Waiting) {
  const result = await work(transaction)
  return () => resolve(result)
}

const savepoint = CompiledQuery.raw('savepoint one')
const release = CompiledQuery.raw('release one')
const rollback = CompiledQuery.raw('rollback to one')

/** Returns a function that settles the write. Call it after the commit. */
async function runInSavepoint(transaction: Transaction<Schema>, { work, resolve, reject }: Waiting) {
  await transaction.executeQuery(savepoint)
  try {
    const result = await work(transaction)
    await transaction.executeQuery(release)
    return () => resolve(result)
  } catch (error) {
    // This rollback fails if SQLite, on a full disk, has already undone the entire transaction. All writes must then reject.
    await transaction.executeQuery(rollback).catch(() => Promise.reject(error))
    await transaction.executeQuery(release)
    return () => reject(error)
  }
}
