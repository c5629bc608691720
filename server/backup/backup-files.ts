import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { isShared } from '../database/shared-database.ts'
import { listBackups } from '../files/backup-list.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS
// Allows for a slow backup or a retry.
const GRACE_MS = 2 * HOUR_MS
// At least seven backups are kept: if the clock jumps ahead, every backup looks old. They are taken
// at least once a week, so none gets older than `BACKUP_DAYS`, which is also the limit of the
// offsite backups.
const KEEP_MS = 7 * DAY_MS
const MIN_KEPT = 7
// A running backup keeps writing. An interrupted one must not fill the disk.
const MAX_IDLE_MS = HOUR_MS
const unfinishedPattern = /^leads-[\dT-]+Z\.db\.\d+\.part(?:-journal|-wal|-shm)?$/

/** `late` means that one scheduled backup was missed, and `too old` that two or more were. */
export function backupAge(at: Date, now: Date, everyHours: number): 'fresh' | 'late' | 'too old' {
  const overdueMs = now.getTime() - at.getTime() - GRACE_MS
  if (overdueMs > 2 * everyHours * HOUR_MS) return 'too old'
  return overdueMs > everyHours * HOUR_MS ? 'late' : 'fresh'
}

/**
 * When the last backup started. With PostgreSQL, any replica may have taken it, so the time is in
 * the database.
 */
export async function lastBackupAt(db: Database, folder: string, now: Date): Promise<Date | undefined> {
  if (!isShared(db)) return lastBackup(folder, now)?.at
  const at = new Date((await readNote(db, 'backup_taken'))?.at ?? Number.NaN)
  return at <= now ? at : undefined
}

/** The last backup. Ignores future dates, which come from a wrong clock. */
export const lastBackup = (folder: string, now: Date) => listBackups(folder).find(({ at }) => at <= now)

/**
 * Deletes backups older than 7 days, except the newest 7. Ignores errors: the new backup must still
 * succeed.
 */
export function removeOldBackups(folder: string, now: Date) {
  const old = listBackups(folder)
    .slice(MIN_KEPT)
    .filter(({ at }) => now.getTime() - at.getTime() > KEEP_MS)
  for (const { path } of old) tryToRemove(path)
}

/** Deletes files left by interrupted backups. */
export function removeUnfinished(folder: string, now: Date) {
  for (const name of readdirSync(folder).filter((name) => unfinishedPattern.test(name))) {
    const path = join(folder, name)
    const writtenAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (now.getTime() - writtenAt > MAX_IDLE_MS) tryToRemove(path)
  }
}

function tryToRemove(path: string) {
  try {
    rmSync(path, { force: true })
  } catch {
    // The next backup tries again.
  }
}
