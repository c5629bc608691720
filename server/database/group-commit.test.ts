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

const failing: [how: string, (to: Transaction<Schema>) => Promise<unknown>][] = [
  ['it throws halfway', (to) => insert(2)(to).then(() => Promise.reject(new Error('injected')))],
  ['the commit fails', (to) => sql`pragma defer_foreign_keys = on`.execute(to).then(() => insert(2, 99)(to))],
  ['SQLite rolls back the whole transaction', insert(1, null, 'insert or rollback')],
]
test.each(failing)('when one write fails because %s, only that write rejects', async (_how, fail) => {
  sqlite.pragma('foreign_keys = on')

  expect(await outcomes([write(insert(1)), write(fail), write(insert(3))])).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(stored()).toEqual([1, 3])
})

test('a write waits for the lock of another program, also a second time', async () => {
  sqlite.pragma('busy_timeout = 1')
  for (const value of [1, 2]) {
    other.exec('begin immediate')
    setTimeout(() => other.exec('commit'), 50)
    await write(insert(value))
  }

  expect(stored()).toEqual([1, 2])
})

test('a write gives up on a lock after a quarter of a second', async () => {
  sqlite.pragma('busy_timeout = 1')
  let now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 100
    if (now === 1_000) other.exec('commit')
    return now
  })
  other.exec('begin immediate')

  await expect(write(insert(1))).rejects.toThrow('database is locked')
})

test('a storage error rejects all writes of the group, and none runs again', async () => {
  const full = vi.fn(() => Promise.reject(new StorageUnavailable(new Error('disk full'))))

  expect(await outcomes([write(insert(1)), write(full), write(insert(3))])).toEqual(Array(3).fill('rejected'))
  expect(full).toHaveBeenCalledOnce()
  expect(stored()).toEqual([])
})
