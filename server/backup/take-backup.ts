import { renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { assertNoRestorePending } from '../database/finish-restore.ts'
import type { Place } from '../database/open-storage.ts'
import { giveToOwnerOf, makeFolder } from '../files/give-to-owner.ts'
import { syncFolder } from '../files/sync.ts'
import { backupName, removeOldBackups, removeUnfinished } from './backup-files.ts'
import { copyDatabase, type OnProgress, removeDatabase } from './copy-database.ts'
import { createRefusal } from './why-not-restored.ts'

/** Where the leads come from, and the folder that gets the backup. */
export type BackupPlace = Place & { BACKUP_DIR: string }
/** With a warning where `restore` would refuse the file. */
export type BackupReport = { path: string; bytes: number; leads: number; warning?: string }

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
  makeFolder(folder)
  // First, for it may need their room.
  removeUnfinished(folder, now)
  const path = join(folder, backupName(now))
  // With the process id: the nightly backup and one taken by hand may meet.
  const unfinished = `${path}.${process.pid}.part`
  try {
    const { leads } = DATABASE_URL
      ? await (await postgres()).copyPostgres(DATABASE_URL, unfinished, onProgress)
      : await copyDatabase(join(DATA_DIR, 'leads.db'), unfinished, { onProgress })
    const reason = await whyRefused(unfinished)
    // One that root has taken by hand is for the server, and for what sends it elsewhere, to read.
    giveToOwnerOf(folder, unfinished)
    renameSync(unfinished, path)
    syncFolder(folder)
    if (DATABASE_URL) await (await postgres()).recordBackup(DATABASE_URL, now, path)
    removeOldBackups(folder, now)
    const warning = reason && `\`restore\` would refuse this backup. ${reason} Ask "doctor" what to do.`
    return { path, bytes: statSync(path).size, leads, ...(warning && { warning }) }
  } finally {
    removeDatabase(unfinished)
  }
}

/** Of a copy that is whole: it is kept in any case. */
async function whyRefused(file: string): Promise<string | undefined> {
  const whyNot = await createRefusal()
  const copy = new Sqlite(file, { readonly: true })
  try {
    return whyNot(copy)
  } catch (error) {
    return `It cannot be examined: ${error instanceof Error ? error.message : String(error)}.`
  } finally {
    copy.close()
  }
}
