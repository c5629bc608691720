import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { isServerRunning } from './lock-data-directory.ts'
import { openStorage } from './open-storage.ts'
import { openDatabase, toKysely } from './sqlite.ts'
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

test('only a failure of the disk stops the server', async () => {
  const sqlite = new Sqlite(':memory:')
  sqlite.function('fail', () => {
    throw new Sqlite.SqliteError('injected', 'SQLITE_IOERR')
  })
  const stop = vi.fn()
  const db = toKysely(sqlite, stop)

  await expect(sql`select missing()`.execute(db)).rejects.toThrow('no such function')
  expect(stop).not.toHaveBeenCalled()
  await expect(sql`select fail()`.execute(db)).rejects.toThrow('injected')
  expect(stop).toHaveBeenCalledOnce()
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

test('a server that starts waits for a command that writes', async () => {
  const folder = newFolder()
  const path = join(folder, 'leads.db')
  const command = new Worker(
    `const { parentPort, workerData: { path, driver } } = require('node:worker_threads')
    const sqlite = new (require(driver))(path)
    sqlite.exec('pragma journal_mode = wal; begin immediate')
    parentPort.postMessage('writing')
    setTimeout(() => sqlite.close(), 500)`,
    { eval: true, workerData: { path, driver: fileURLToPath(import.meta.resolve('better-sqlite3')) } },
  )
  await once(command, 'message')

  await (await openDatabase(folder)).destroy()
})

const CHECKED_BYTES = 64 * 1024 * 1024

test.each([
  [0, 0, true],
  [CHECKED_BYTES, 0, true],
  [CHECKED_BYTES + 1, 0, false],
  [CHECKED_BYTES + 1, 1, true],
])(
  'whether a damaged database of %i bytes that lacks %i migrations is refused: %s',
  async (bytes, lacking, isRefused) => {
    const folder = newFolder()
    const file = join(folder, 'leads.db')
    await (await openDatabase(folder)).destroy()
    const sqlite = new Sqlite(file).unsafeMode()
    sqlite.exec(`delete from kysely_migration where ${lacking} and name like '002%'`)
    sqlite.pragma('writable_schema = ON')
    sqlite.exec(`update sqlite_master set rootpage = (select rootpage from sqlite_master where name = 'outbox_failed')
      where name = 'leads_by_content'`)
    sqlite.close()
    if (bytes > 0) truncateSync(file, bytes)

    const opened = openDatabase(folder).then((db) => db.destroy())

    if (isRefused) await expect(opened).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })
    else await opened
  },
)

test('a server removes what an interrupted restore has left, and keeps others out until it stops', async () => {
  const DATA_DIR = newFolder()
  writeFileSync(join(DATA_DIR, 'leads.db.restore.part'), '')

  const { close } = await openStorage({ DATA_DIR }, () => {})

  expect(readdirSync(DATA_DIR)).not.toContain('leads.db.restore.part')
  // Whoever has the folder may be preparing a restore.
  writeFileSync(join(DATA_DIR, 'leads.db.restore.part'), '')
  await expect(openStorage({ DATA_DIR }, () => {})).rejects.toThrow(/^A server is already using/)
  expect(readdirSync(DATA_DIR)).toContain('leads.db.restore.part')
  expect(isServerRunning(DATA_DIR)).toBe(true)
  await close()
  expect(isServerRunning(DATA_DIR)).toBe(false)
  // Another user can do that.
  const other = new Sqlite(join(DATA_DIR, 'server.lock'), { readonly: true })
  other.exec('begin; select * from sqlite_master')
  await (await openStorage({ DATA_DIR }, () => {})).close()
  other.close()
})

test('a transaction begins with a write lock, and hides no error if SQLite has rolled it back', async () => {
  const statements: string[] = []
  const db = new Kysely({
    dialect: createSqliteDialect(new Sqlite(':memory:')),
    log: ({ query }) => void statements.push(query.sql),
  })

  await db.transaction().execute(async () => {})

  expect(statements).toEqual(['begin immediate', 'commit'])
  // A full disk does that.
  const failed = db.transaction().execute(async (transaction) => {
    await sql`rollback`.execute(transaction)
    throw new Error('disk full')
  })
  await expect(failed).rejects.toThrow('disk full')
})

test.each([
  ['SQLITE_FULL', true, false],
  ['SQLITE_BUSY', true, false],
  ['SQLITE_LOCKED', true, false],
  ['SQLITE_READONLY', true, false],
  ['SQLITE_CANTOPEN', true, false],
  ['SQLITE_PROTOCOL', true, false],
  ['SQLITE_NOMEM', true, false],
  ['SQLITE_IOERR', true, true],
  ['SQLITE_IOERR_FSYNC', true, true],
  ['SQLITE_CORRUPT', true, true],
  ['SQLITE_NOTADB', true, true],
  ['SQLITE_CONSTRAINT_UNIQUE', false, false],
  ['SQLITE_ERROR', false, false],
])('%s is a storage error: %s; it is a failure of the disk: %s', (code, isStorage, isDisk) => {
  const error = new Sqlite.SqliteError('injected', code)

  expect([isStorageError(error), isDiskFailure(error)]).toEqual([isStorage, isDisk])
  expect(isStorageError(Object.assign(new TypeError('a bug'), { code }))).toBe(false)
})
