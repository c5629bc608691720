import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { expect, test, vi } from 'vitest'
import { cacheStatements, createSqliteDialect } from './sqlite-dialect.ts'

test('the same SQL is prepared only once', () => {
  const sqlite = new Sqlite(':memory:')
  const prepare = vi.spyOn(sqlite, 'prepare')
  const database = cacheStatements(sqlite)

  const rows = [1, 2].map((value) => database.prepare('select ? as value').all([value]))

  expect(rows).toEqual([[{ value: 1 }], [{ value: 2 }]])
  expect(prepare).toHaveBeenCalledTimes(1)
})

test('a cached statement returns columns added later', () => {
  const sqlite = new Sqlite(':memory:')
  const database = cacheStatements(sqlite)
  sqlite.exec('create table facts (a); insert into facts values (1)')
  const before = database.prepare('select * from facts').all([])

  sqlite.exec('alter table facts add column b default 2')

  expect(before).toEqual([{ a: 1 }])
  expect(database.prepare('select * from facts').all([])).toEqual([{ a: 1, b: 2 }])
})

test('the number of cached statements is limited', () => {
  const sqlite = new Sqlite(':memory:')
  const prepare = vi.spyOn(sqlite, 'prepare')
  const database = cacheStatements(sqlite)

  for (let value = 0; value < 1000; value++) database.prepare(`select ${value}`)
  for (const value of [999, 0]) database.prepare(`select ${value}`)

  expect(prepare).toHaveBeenCalledTimes(1001)
})

test('a transaction begins with a write lock', async () => {
  const statements: string[] = []
  const db = new Kysely({
    dialect: createSqliteDialect(new Sqlite(':memory:')),
    log: ({ query }) => void statements.push(query.sql),
  })

  await db.transaction().execute(async () => {})

  expect(statements).toEqual(['begin immediate', 'commit'])
})
