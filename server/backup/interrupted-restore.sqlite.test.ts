import { cpSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { useFolder, useTestApp } from '../proof/testing/build-test-app.ts'
import { messagesIn } from '../proof/testing/leads.ts'
import { restoreBackup } from './restore-backup.ts'
import { takeBackup } from './take-backup.ts'

const now = new Date('2026-03-02T08:00:00Z')
const asideName = 'leads-before-restore-2026-03-02T08-00-00-000Z.db'

const site = useTestApp()
const folder = useFolder()

const at = (name: string) => join(folder.path, name)
const submit = (message: string) => site.submit({ message })
/** Copies the running server's files as a kill would leave them: the newest leads are only in the WAL. */
const kill = () => cpSync(site.dataDir, folder.path, { recursive: true })
const restore = (file: string, onKeep = (_path: string) => {}) =>
  restoreBackup({ dataDir: folder.path, backupDir: at('backups'), file, now, onKeep })
const messages = (name: string) => messagesIn(at(name))

/** Simulates killing a server that has leads 1 and 2. Returns a backup that contains only lead 1. */
async function killWithTwoLeads() {
  await submit('1')
  const { path } = await takeBackup(site.env, now)
  await submit('2')
  kill()
  return path
}

test('a restore is refused while another program has the database open, even without a server lock', async () => {
  const path = await killWithTwoLeads()
  const other = new Sqlite(at('leads.db'))
  other.prepare('select 1 from leads').get()

  await expect(restore(path)).rejects.toThrow(/leads\.db is in use by another program/)

  expect(readdirSync(folder.path).filter((name) => name.startsWith('leads-before'))).toEqual([])
  other.close()
})

test.each(['leads.db', 'leads.db-wal', 'leads.db.restore.part'])(
  'restoring from %s is refused, and the file is kept',
  async (name) => {
    const path = await killWithTwoLeads()
    if (!existsSync(at(name))) cpSync(path, at(name))

    await expect(restore(at(name))).rejects.toThrow('It belongs to the current database')

    expect(existsSync(at(name))).toBe(true)
  },
)

test.each([
  ['damaged', () => truncateSync(at('leads.db'), 5000)],
  ['deleted', () => rmSync(at('leads.db'))],
])(
  'the write-ahead log of a database that was %s is kept, and not replayed into the restored one',
  async (_, damage) => {
    const path = await killWithTwoLeads()
    damage()

    await restore(path)

    expect(existsSync(at('leads.db-wal'))).toBe(false)
    expect(existsSync(at(`${asideName}-wal`))).toBe(true)
    expect(messages('leads.db')).toEqual(['1'])
  },
)

test('a restore never overwrites what an earlier one has kept', async () => {
  const path = await killWithTwoLeads()
  writeFileSync(at(asideName), 'mine')

  await expect(restore(path)).rejects.toThrow('EEXIST')

  expect([readFileSync(at(asideName), 'utf8'), messages('leads.db')]).toEqual(['mine', ['1', '2']])
})
