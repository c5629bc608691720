import { cpSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test, vi } from 'vitest'
import { copyDatabase } from '../database/copy-database.ts'
import { backupName, listBackups } from '../files/backup-list.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { interruptChange } from '../proof/testing/interrupt-change.ts'
import { messagesIn, queryFile } from '../proof/testing/leads.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { lastBackup } from './backup-files.ts'
import { takeBackup } from './take-backup.ts'

const HOUR_MS = 60 * 60 * 1000
const now = new Date('2026-03-02T08:00:00Z')
const later = (hours: number) => new Date(now.getTime() + hours * HOUR_MS)

const site = useTestApp()

const submit = (message: string) => site.submit({ message })
const createBackups = (times: Date[]) => {
  mkdirSync(site.env.BACKUP_DIR, { recursive: true })
  for (const at of times) writeFileSync(join(site.env.BACKUP_DIR, backupName(at)), '')
}

test('a backup of an open database is one complete file with every lead and email', async () => {
  await submit('1')
  await submit('2')

  const { path, leads, bytes } = await takeBackup(site.env, now)

  expect([basename(path), leads, bytes > 0]).toEqual(['leads-2026-03-02T08-00-00Z.db', 2, true])
  expect(readdirSync(site.env.BACKUP_DIR)).toEqual([basename(path)])
  expect(queryFile(path, 'pragma integrity_check')).toEqual([['ok']])
  expect(queryFile(path, 'select count(*) from outbox')).toEqual([[2]])
})

test('a copy that does not match the original is no backup', async () => {
  await submit('1')
  const { path } = await takeBackup(site.env, now)
  await submit('2')
  vi.spyOn(Sqlite.prototype, 'backup').mockImplementation(async (to) => {
    cpSync(path, to)
    return { totalPages: 1, remainingPages: 0 }
  })

  await expect(takeBackup(site.env, later(1))).rejects.toThrow('The copy does not match the original.')

  expect(readdirSync(site.env.BACKUP_DIR)).toEqual([basename(path)])
})

test('what the server stores while a backup is copied belongs to the next one', async () => {
  await submit('1')
  const [from, to] = [join(site.dataDir, 'leads.db'), join(site.dataDir, 'copy.db')]
  const server = new Sqlite(from)

  const copying = copyDatabase(from, to)
  server.exec('delete from leads')
  const { leads } = await copying

  server.close()
  expect([leads, messagesIn(to)]).toEqual([1, ['1']])
})

test('a damaged database is not backed up, and old backups are kept', async () => {
  createBackups([later(-24)])
  await submit('1')
  // Makes an index inconsistent with its table.
  const sqlite = new Sqlite(join(site.dataDir, 'leads.db')).unsafeMode()
  sqlite.pragma('writable_schema = ON')
  sqlite.exec(
    "update sqlite_master set rootpage = (select rootpage from sqlite_master where name = 'outbox_failed') where name = 'leads_by_content'",
  )
  sqlite.close()

  const message = expect.stringMatching(/^The database is damaged: /)
  await expect(takeBackup(site.env, now)).rejects.toMatchObject({ name: 'UnusableDatabase', message })

  expect(readdirSync(site.env.BACKUP_DIR)).toEqual([backupName(later(-24))])
})

test('backups are kept for 7 days', async () => {
  const earlier = Array.from({ length: 40 }, (_, index) => later(-12 * (index + 1) - 1))
  createBackups(earlier)

  await takeBackup(site.env, now)

  expect(listBackups(site.env.BACKUP_DIR).map(({ at }) => at)).toEqual([now, ...earlier.slice(0, 13)])
})

test('if the clock jumps a year ahead, recent backups are not deleted', async () => {
  const nights = [1, 2, 3, 4, 5, 6].map((day) => later(-24 * day))
  createBackups(nights)

  await takeBackup(site.env, later(365 * 24))

  expect(listBackups(site.env.BACKUP_DIR).map(({ at }) => at)).toEqual([later(365 * 24), ...nights])
})

test('the last backup is the newest one that is not dated in the future, and that is complete', () => {
  expect(lastBackup(site.env.BACKUP_DIR, now)).toBeUndefined()
  createBackups([])
  writeFileSync(join(site.env.BACKUP_DIR, `${backupName(later(-1))}.123.part`), '')
  expect(lastBackup(site.env.BACKUP_DIR, now)).toBeUndefined()

  createBackups([later(-3), later(-27), later(24)])

  expect(lastBackup(site.env.BACKUP_DIR, now)?.at).toEqual(later(-3))
})

test('files of interrupted backups are deleted even if the next backup fails, but not of one that still runs', async () => {
  const unfinished = `${backupName(later(-1))}.1.part`
  const running = `${backupName(later(-1))}.2.part`
  mkdirSync(site.env.BACKUP_DIR)
  for (const name of [unfinished, `${unfinished}-journal`, running]) {
    const file = join(site.env.BACKUP_DIR, name)
    const at = later(name === running ? -0.9 : -1.1)
    writeFileSync(file, '')
    utimesSync(file, at, at)
  }
  writeFileSync(join(site.dataDir, 'leads.db'), '')

  await expect(takeBackup(site.env, now)).rejects.toThrow()

  expect(readdirSync(site.env.BACKUP_DIR)).toEqual([running])
})

test('a database whose last change was interrupted is backed up without that change', async () => {
  using folder = newDataDir()
  await submit('1')
  const { path } = await takeBackup(site.env, now)
  interruptChange(path, join(folder.path, 'leads.db'))

  const backup = await takeBackup({ ...site.env, DATA_DIR: folder.path }, later(1))

  expect(messagesIn(backup.path)).toEqual(['1'])
})
