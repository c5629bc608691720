import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from './sqlite.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { isDiskFailure, isStorageError } from './storage-error.ts'

const newFolder = () => mkdtempSync(join(tmpdir(), 'plumbline-'))

test('the database syncs every commit, enforces foreign keys and overwrites deleted rows', async () => {
  const db = await openDatabase(newFolder())
  const pragma = async (name: string) =>
    Object.values((await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db)).rows[0] ?? {})[0]

  expect(await pragma('journal_mode')).toBe('wal')
  expect(await pragma('synchronous')).toBe(2)
  expect(await pragma('foreign_keys')).toBe(1)
  expect(await pragma('secure_delete')).toBe(1)
  expect(await pragma('busy_timeout')).toBe(20)
  await db.destroy()
})

test("another program's database is refused and left unchanged", async () => {
  const folder = newFolder()
  const file = join(folder, 'leads.db')
  new Sqlite(file).exec('create table notes (text)').close()
  const before = readFileSync(file)

  await expect(openDatabase(folder)).rejects.toThrow(/^leads.db belongs to .* another program/)

  expect(readFileSync(file).equals(before)).toBe(true)
  expect(readdirSync(folder)).toEqual(['leads.db'])
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

const sqliteError = (code: string) => new Sqlite.SqliteError('injected', code)

test.each([
  ['SQLITE_FULL', true, false],
  ['SQLITE_BUSY', true, false],
  ['SQLITE_READONLY', true, false],
  ['SQLITE_IOERR', true, true],
  ['SQLITE_IOERR_FSYNC', true, true],
  ['SQLITE_CORRUPT', true, true],
  ['SQLITE_NOTADB', true, true],
  ['SQLITE_CONSTRAINT_UNIQUE', false, false],
  ['SQLITE_ERROR', false, false],
  ['SQLITE_RANGE', false, false],
])('%s is a storage error: %s; it is a failure of the disk: %s', (code, isStorage, isDisk) => {
  const error = sqliteError(code)

  expect([isStorageError(error), isDiskFailure(error)]).toEqual([isStorage, isDisk])
})

test('a TypeError is a bug, not a storage error', () => {
  expect(isStorageError(new TypeError('a bug'))).toBe(false)
})
