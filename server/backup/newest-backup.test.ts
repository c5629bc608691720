import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { backupName } from './backup-files.ts'
import { newestBackupFile } from './newest-backup.ts'

const now = new Date('2026-03-02T08:05:00Z')
const at = new Date('2026-03-02T08:00:00Z')
const isOtherDisk = (path: string) => existsSync(path) && statSync(path).dev !== statSync(tmpdir()).dev
const OTHER_DISK = ['/dev/shm', '/var/tmp'].find(isOtherDisk)

let folder: ReturnType<typeof newDataDir>
beforeEach(() => {
  folder = newDataDir()
  writeFileSync(join(folder.path, 'leads.db'), '')
})
afterEach(() => folder[Symbol.dispose]())

function createBackup(backupDir: string) {
  mkdirSync(backupDir, { recursive: true })
  writeFileSync(join(backupDir, backupName(at)), '')
  return backupDir
}
function writeRecord(text: string) {
  mkdirSync(join(folder.path, 'offsite'))
  writeFileSync(join(folder.path, 'offsite', 'offsite.json'), text)
}
const onSameDisk = () => createBackup(join(folder.path, 'backups'))
const find = (backupDir: string, mountInfo = '', everyHours = 24) =>
  newestBackupFile({ dataDir: folder.path, backupDir, everyHours, mountInfo }, now)

test('a backup on the same disk as the leads is at risk', () => {
  expect(find(onSameDisk())).toEqual({ at, risks: ['same disk'], offsite: undefined })
})

test.skipIf(!OTHER_DISK)('a backup on another disk is at risk only if that disk is temporary', () => {
  const other = createBackup(mkdtempSync(`${OTHER_DISK}/website-`))
  onTestFinished(() => rmSync(other, { recursive: true }))

  expect(find(other).risks).toEqual([])
  expect(find(other, `25 24 0:23 / ${OTHER_DISK} rw - tmpfs tmpfs rw`).risks).toEqual(['disk does not last'])
})

test.each([
  ['the newest backup', backupName(at), []],
  ['the previous backup', 'leads-2026-03-01T08-00-00Z.db', []],
  ['an older backup', 'leads-2026-02-28T08-00-00Z.db', ['same disk']],
])('if the last upload was %s (%s), these risks remain: %j', (_what, name, risks) => {
  writeRecord(JSON.stringify({ backup: name, sentAt: '2026-03-02T08:01:00Z' }))

  expect(find(onSameDisk())).toMatchObject({ risks, offsite: { name } })
})
