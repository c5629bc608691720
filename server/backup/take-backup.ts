import { mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { assertNoRestorePending } from '../database/finish-restore.ts'
import type { Place } from '../database/open-storage.ts'
import { syncFolder } from '../files/sync.ts'
import { backupFolder, backupName, removeOldBackups } from './backup-files.ts'
import { copyDatabase, type OnProgress, removeDatabase } from './copy-database.ts'

export type BackupReport = { path: string; bytes: number; leads: number }

/**
 * Copies the leads, beside a running server, to `backups`; holds whatever was committed before the call. The file gets
 * its name only when it is verified and on disk; then what is older than 7 days is deleted.
 */
export async function takeBackup(place: Place, now: Date, onProgress?: OnProgress): Promise<BackupReport> {
  const { DATA_DIR, DATABASE_URL } = place
  if (!DATABASE_URL) assertNoRestorePending(DATA_DIR)
  const folder = backupFolder(DATA_DIR)
  mkdirSync(folder, { recursive: true })
  const path = join(folder, backupName(now))
  // With the process id: the nightly backup and one taken by hand may meet.
  const unfinished = `${path}.${process.pid}.part`
  try {
    const { leads } = DATABASE_URL
      ? await (await import('./copy-postgres.ts')).copyPostgres(DATABASE_URL, unfinished, now, onProgress)
      : await copyDatabase(join(DATA_DIR, 'leads.db'), unfinished, onProgress)
    renameSync(unfinished, path)
    syncFolder(folder)
    removeOldBackups(DATA_DIR, now)
    return { path, bytes: statSync(path).size, leads }
  } finally {
    removeDatabase(unfinished)
  }
}
