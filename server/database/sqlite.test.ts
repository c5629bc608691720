import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase, openExistingDatabase, truncateWal } from './sqlite.ts'

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

test('a command waits until another program has finished reading, then empties the write-ahead log', async () => {
  const folder = newFolder()
  const file = join(folder, 'leads.db')
  const server = await openDatabase(folder)
  const reader = spawn(process.execPath, ['--input-type=module', '-e', readFor600Ms, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(reader.stdout, 'data')
  await server.insertInto('settings').values({ name: 'x', value: 'y' }).execute()
  const command = openExistingDatabase(folder)

  expect(await truncateWal(command)).toBe(true)

  expect(statSync(`${file}-wal`).size).toBe(0)
  await Promise.all([server.destroy(), command.destroy()])
})

const readFor600Ms = `
  import Sqlite from 'better-sqlite3'
  const sqlite = new Sqlite(process.argv[1])
  sqlite.exec('begin')
  sqlite.prepare('select * from leads').all()
  console.log('reads')
  setTimeout(() => sqlite.close(), 600)`
