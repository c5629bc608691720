import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { restoreBackup } from '../backup/restore-backup.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { lockDataDirectory } from '../database/lock-data-directory.ts'
import { saveErasures } from '../leads/erase/erasures.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { makeFolder } from './private-files.ts'

const site = useTestApp()

test.skipIf(process.getuid?.() !== 0)(
  'folders, backups, erasures, restored leads and locks that root writes belong to the owner of the folder around them',
  async () => {
    using folder = newDataDir()
    chownSync(folder.path, 1234, 5678)
    const { now } = site.clock
    const backupDir = join(folder.path, 'backups', 'daily')

    makeFolder(backupDir)
    lockDataDirectory(folder.path)()
    const { path: file } = await takeBackup({ ...site.env, BACKUP_DIR: backupDir }, now)
    await saveErasures(site.db, backupDir, [{ hash: '', upTo: '', at: now.toISOString() }], now)
    await restoreBackup({ dataDir: folder.path, backupDir, file, now, onKeep() {} })

    const written = ['backups', 'backups/daily', 'backups/daily/erasures.json', 'leads.db', 'server.lock']
    for (const path of [file, ...written.map((name) => join(folder.path, name))])
      expect(statSync(path)).toMatchObject({ uid: 1234, gid: 5678 })
  },
)
