import { chownSync, mkdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { assertNoRestorePending } from '../database/finish-restore.ts'
import type { Place } from '../database/open-storage.ts'
import { syncFolder } from '../files/sync.ts'
import { backupName, removeOldBackups, removeUnfinished } from './backup-files.ts'
import { copyDatabase, type OnProgress, removeDatabase } from './copy-database.ts'

/** Where the leads come from, and the folder that gets the backup. */
export type BackupPlace = Place & { BACKUP_DIR: string }
export type BackupReport = { path: string; bytes: number; leads: number }

// Whoever uses SQLite loads nothing of PostgreSQL.
const postgres = () => import('./copy-postgres.ts')

/**
 * Copies the leads, beside a running server, to `BACKUP_DIR`; holds whatever was committed before the call. The file gets
 * its name only when it is verified and on disk; then what is older than 7 days is deleted.
 */
export async function takeBackup(
  { DATA_DIR, BACKUP_DIR: folder, DATABASE_URL }: BackupPlace,
  now: Date,
  onProgress?: OnProgress,
): Promise<BackupReport> {
  if (!DATABASE_URL) assertNoRestorePending(DATA_DIR)
  mkdirSync(folder, { recursive: true })
  // First, for it may need their room.
  removeUnfinished(folder, now)
  const path = join(folder, backupName(now))
  // With the process id: the nightly backup and one taken by hand may meet.
  const unfinished = `${path}.${process.pid}.part`
  try {
    const { leads } = DATABASE_URL
      ? await (await postgres()).copyPostgres(DATABASE_URL, unfinished, onProgress)
      : await copyDatabase(join(DATA_DIR, 'leads.db'), unfinished, { onProgress })
    giveToOwnerOf(folder, unfinished)
    renameSync(unfinished, path)
    syncFolder(folder)
    if (DATABASE_URL) await (await postgres()).recordBackup(DATABASE_URL, now, path)
    removeOldBackups(folder, now)
    return { path, bytes: statSync(path).size, leads }
  } finally {
    removeDatabase(unfinished)
  }
}

/** A backup that root has taken by hand is for the server, and for what sends it elsewhere, to read. */
function giveToOwnerOf(folder: string, file: string) {
  const { uid, gid } = statSync(folder)
  if (process.getuid?.() === 0 && uid !== 0) chownSync(file, uid, gid)
}
