import { accessSync, constants, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { copyDatabase, removeDatabase } from '../database/copy-database.ts'
import type { StorageSettings } from '../database/open-storage.ts'
import { backupName } from '../files/backup-list.ts'
import { giveToOwnerOf, makeFolder } from '../files/private-files.ts'
import { syncFile, syncFolder } from '../files/sync.ts'
import { removeOldBackups, removeUnfinished } from './backup-files.ts'

type BackupSettings = StorageSettings & { BACKUP_DIR: string }
export type BackupReport = { path: string; bytes: number; leads: number }

// Loads the PostgreSQL code only if needed.
const postgres = () => import('./copy-postgres.ts')

/**
 * Backs up the database to `BACKUP_DIR`, even while the server runs. The file gets its final name
 * once it is verified and on disk. Old backups are deleted only after that.
 */
export async function takeBackup(
  { DATA_DIR, BACKUP_DIR: folder, DATABASE_URL }: BackupSettings,
  now: Date,
): Promise<BackupReport> {
  makeFolder(folder)
  // SQLite's own error would not name the folder.
  accessSync(folder, constants.W_OK)
  // Do this first, to free disk space for the new backup.
  removeUnfinished(folder, now)
  const path = join(folder, backupName(now))
  // The process id keeps concurrent backups apart.
  const unfinished = `${path}.${process.pid}.part`
  try {
    const { leads } = DATABASE_URL
      ? await (await postgres()).copyPostgres(DATABASE_URL, unfinished)
      : await copyDatabase(join(DATA_DIR, 'leads.db'), unfinished)
    // If root takes the backup, the server and the offsite upload must still be able to read it.
    giveToOwnerOf(folder, unfinished)
    syncFile(unfinished)
    renameSync(unfinished, path)
    syncFolder(folder)
    if (DATABASE_URL) await (await postgres()).recordBackup(DATABASE_URL, now, path)
    removeOldBackups(folder, now)
    return { path, bytes: statSync(path).size, leads }
  } finally {
    removeDatabase(unfinished)
  }
}
