import { CompiledQuery, type Transaction } from 'kysely'
import { isShared } from './differences.ts'
import type { Database, Schema } from './schema.ts'

/** Runs `work` in a transaction. Once it resolves, its writes are on disk. */
export type Write = <Result>(work: (transaction: Transaction<Schema>) => Promise<Result>) => Promise<Result>

type Waiting = {
  work: (transaction: Transaction<Schema>) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (reason: unknown) => void
}

/**
 * Shares one commit, and so one fsync, among all writes of the same event-loop tick: SQLite has one writer at a time, and
 * its commits block everything. Each write has a savepoint, so that an error undoes only its own part. No write settles
 * before the commit; if that fails, all reject. PostgreSQL has many writers and groups their commits itself.
 */
export function createGroupCommit(db: Database): Write {
  if (isShared(db)) return (work) => db.transaction().execute(work)
  let waiting: Waiting[] = []

  async function writeAll() {
    const group = waiting
    waiting = []
    try {
      const settlers = await db.transaction().execute(async (transaction) => {
        const done: (() => void)[] = []
        const run = group.length > 1 ? runInSavepoint : runAlone
        for (const write of group) done.push(await run(transaction, write))
        return done
      })
      for (const settle of settlers) settle()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      // Runs after this tick's I/O, so that concurrent writes share a commit.
      if (waiting.length === 0) setImmediate(writeAll)
      waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
    })
}

/** Needs no savepoint: an error rolls back the whole transaction. */
async function runAlone(transaction: Transaction<Schema>, { work, resolve }: Waiting) {
  const result = await work(transaction)
  return () => resolve(result)
}

const savepoint = CompiledQuery.raw('savepoint one')
const release = CompiledQuery.raw('release one')
const rollback = CompiledQuery.raw('rollback to one')

/** Returns a function that settles the write, to call after the commit. */
async function runInSavepoint(transaction: Transaction<Schema>, { work, resolve, reject }: Waiting) {
  await transaction.executeQuery(savepoint)
  try {
    const result = await work(transaction)
    await transaction.executeQuery(release)
    return () => resolve(result)
  } catch (error) {
    // If the disk is full, SQLite may have rolled back the whole transaction: then all writes fail.
    await transaction.executeQuery(rollback).catch(() => Promise.reject(error))
    await transaction.executeQuery(release)
    return () => reject(error)
  }
}
