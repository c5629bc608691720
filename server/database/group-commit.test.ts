import Sqlite from 'better-sqlite3'
import { Kysely, sql, type Transaction } from 'kysely'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useFolder } from '../proof/testing/build-test-app.ts'
import { createGroupCommit, type Write } from './group-commit.ts'
import type { Schema } from './schema.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { StorageUnavailable } from './storage-error.ts'

const dataDir = useFolder()
let sqlite: Sqlite.Database
let other: Sqlite.Database
let db: Kysely<Schema>
let write: Write

beforeEach(() => {
  sqlite = new Sqlite(`${dataDir.path}/facts.db`)
  sqlite.exec('create table facts (a integer unique, parent integer references facts (a))')
  other = new Sqlite(`${dataDir.path}/facts.db`)
  db = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) })
  write = createGroupCommit(db)
})

afterEach(() => {
  sqlite.close()
  other.close()
})

const insert =
  (value: number, parent: number | null = null, verb = 'insert') =>
  (transaction: Transaction<Schema>) =>
    sql`${sql.raw(verb)} into facts values (${value}, ${parent})`.execute(transaction)
const stored = () => other.prepare('select a from facts order by a').pluck().all()
const outcomes = async (work: Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map(({ status }) => status)

test('no write resolves before the commit', async () => {
  const seen = [1, 2, 3].map((value) => write(insert(value)).then(stored))

  expect(await Promise.all(seen)).toEqual([
    [1, 2, 3],
    [1, 2, 3],
    [1, 2, 3],
  ])
})

test('an error in one write undoes only that write', async () => {
  const half = async (to: Transaction<Schema>) => {
    await insert(2)(to)
    throw new Error('injected')
  }

  expect(await outcomes([write(insert(1)), write(half), write(insert(3))])).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(stored()).toEqual([1, 3])
})

test('when the commit fails because of one write, only that write rejects', async () => {
  sqlite.pragma('foreign_keys = on')
  const dangling = async (to: Transaction<Schema>) => {
    await sql`pragma defer_foreign_keys = on`.execute(to)
    await insert(2, 99)(to)
  }

  expect(await outcomes([write(insert(1)), write(dangling)])).toEqual(['fulfilled', 'rejected'])
  expect(stored()).toEqual([1])
})

test('when SQLite rolls back the whole transaction because of one write, only that write rejects', async () => {
  const work = [write(insert(1)), write(insert(1, null, 'insert or rollback')), write(insert(3))]

  expect(await outcomes(work)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(stored()).toEqual([1, 3])
})

test('a storage error rejects all writes of the group, and none runs again', async () => {
  const full = vi.fn(() => Promise.reject(new StorageUnavailable(new Error('disk full'))))

  expect(await outcomes([write(insert(1)), write(full), write(insert(3))])).toEqual(Array(3).fill('rejected'))
  expect(full).toHaveBeenCalledOnce()
  expect(stored()).toEqual([])
})
