import { CompiledQuery, type Transaction } from 'kysely'
import { isShared } from './differences.ts'
import type { Database, Schema } from './schema.ts'

/** Runs a writing use case in a transaction; when it resolves, what it wrote is on disk. */
export type Write = <Result>(work: (transaction: Transaction<Schema>) => Promise<Result>) => Promise<Result>

type Waiting = {
  work: (transaction: Transaction<Schema>) => Promise<unknown>
  resolve: (result: unknown) => void
  reject: (reason: unknown) => void
}

/**
 * One commit, and so one fsync, for all that arrives in the same turn of the event loop: SQLite takes one writer at a
 * time, and its commits hold up everything else. Each has a savepoint, so that an error undoes only its own part.
 * Nobody gets an answer before the commit, and when that fails, all get its error. PostgreSQL takes many writers, and
 * groups their commits by itself.
 */
export function createWriteTogether(db: Database): Write {
  if (isShared(db)) return (work) => db.transaction().execute(work)
  let waiting: Waiting[] = []

  async function writeAll() {
    const group = waiting
    waiting = []
    try {
      const answers = await db.transaction().execute(async (transaction) => {
        const settled: (() => void)[] = []
        for (const one of group) settled.push(await (group.length > 1 ? attempt : doAlone)(transaction, one))
        return settled
      })
      for (const answer of answers) answer()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }

  return (work) =>
    new Promise((resolve, reject) => {
      // After the sockets of this turn have been read; alone, one waits for nobody.
      if (waiting.length === 0) setImmediate(writeAll)
      waiting.push({ work, resolve: resolve as Waiting['resolve'], reject })
    })
}

/** Where nobody else is in the transaction, it is undone as a whole. */
async function doAlone(transaction: Transaction<Schema>, { work, resolve }: Waiting) {
  const result = await work(transaction)
  return () => resolve(result)
}

const savepoint = CompiledQuery.raw('savepoint one')
const release = CompiledQuery.raw('release one')
const rollback = CompiledQuery.raw('rollback to one')

/** Does one's part and returns how to tell its outcome, once that is on disk. */
async function attempt(transaction: Transaction<Schema>, { work, resolve, reject }: Waiting) {
  await transaction.executeQuery(savepoint)
  try {
    const result = await work(transaction)
    await transaction.executeQuery(release)
    return () => resolve(result)
  } catch (error) {
    // Where the disk is full SQLite may have rolled back everything: then it is everybody's error.
    await transaction.executeQuery(rollback).catch(() => Promise.reject(error))
    await transaction.executeQuery(release)
    return () => reject(error)
  }
}
