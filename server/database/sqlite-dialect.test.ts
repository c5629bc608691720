import Sqlite from 'better-sqlite3'
import { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { createSqliteDialect } from './sqlite-dialect.ts'

test('a transaction begins with a write lock', async () => {
  const statements: string[] = []
  const db = new Kysely({
    dialect: createSqliteDialect(new Sqlite(':memory:')),
    log: ({ query }) => void statements.push(query.sql),
  })

  await db.transaction().execute(async () => {})

  expect(statements).toEqual(['begin immediate', 'commit'])
})
