import { existsSync, linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockDataDirectory } from '../database/lock-data-directory.ts'
import { syncFolder } from '../files/sync.ts'
import { backupName } from './backup-files.ts'
import { copyDatabase, type OnProgress, removeDatabase, UnusableDatabase } from './copy-database.ts'

/**
 * Puts a verified copy of `file` in the place of `leads.db`, which is kept under the name that is returned. Refuses
 * while a server runs. Until the very last step, a rename, the present database stays where it is.
 */
export async function restoreBackup(dataDir: string, file: string, now: Date, onProgress?: OnProgress) {
  const unlock = lockDataDirectory(dataDir)
  const restored = join(dataDir, 'leads.db.restored')
  try {
    const contents = await copyDatabase(file, restored, onProgress)
    if (contents.schema === 'newer')
      throw new UnusableDatabase(
        'It was written by a newer version of this program: restore it with that one.',
      )
    const keptAs = setAside(dataDir, now)
    renameSync(restored, join(dataDir, 'leads.db'))
    syncFolder(dataDir)
    return { ...contents, keptAs }
  } finally {
    removeDatabase(restored)
    unlock()
  }
}

/**
 * Gives the present database, whatever its state, a second name together with its write-ahead log, which may hold the
 * newest leads. Only then are the logs removed: a log beside another database would be played into it.
 */
function setAside(dataDir: string, now: Date): string | undefined {
  const present = join(dataDir, 'leads.db')
  const aside = join(dataDir, backupName(now).replace('leads-', 'leads-before-restore-'))
  const kept = ['', '-wal'].filter((suffix) => existsSync(`${present}${suffix}`))
  for (const suffix of kept) linkSync(`${present}${suffix}`, `${aside}${suffix}`)
  syncFolder(dataDir)
  for (const suffix of ['-wal', '-shm']) rmSync(`${present}${suffix}`, { force: true })
  syncFolder(dataDir)
  return kept.includes('') ? aside : undefined
}
