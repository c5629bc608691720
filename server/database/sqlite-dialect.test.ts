import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { cacheStatements, createSqliteDialect } from './sqlite-dialect.ts'

test('a cached statement returns columns added later', () => {
  const sqlite = new Sqlite(':memory:')
  const database = cacheStatements(sqlite)
  sqlite.exec('create table facts (a); insert into facts values (1)')
  const before = database.prepare('select * from facts').all([])

  sqlite.exec('alter table facts add column b default 2')

  expect(before).toEqual([{ a: 1 }])
  expect(database.prepare('select * from facts').all([])).toEqual([{ a: 1, b: 2 }])
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
