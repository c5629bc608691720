import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { readNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { isShared } from '../database/shared-database.ts'
import { backupName, backupTime } from '../files/backup-list.ts'
import { isPermanent } from '../files/mount.ts'
import { backupAge, lastBackup, lastBackupAt } from './backup-files.ts'

/** Why the newest backup may be missing when it is needed. */
export type BackupRisk = 'same disk' | 'disk does not last'

/** `mountInfo` is the content of `/proc/self/mountinfo`. */
type BackupContext = { dataDir: string; backupDir: string; everyHours: number; mountInfo: string }

/** Finds the newest backup and its risks. With PostgreSQL, the file may be on another machine. */
export async function findNewestBackup(db: Database, context: BackupContext, now: Date) {
  if (!isShared(db)) {
    const newest = lastBackup(context.backupDir, now)
    return withOffsite(newest?.at, newest ? risksOfFile(newest.path, context) : [], context, now)
  }
  const at = await lastBackupAt(db, context.backupDir, now)
  const note = await readNote(db, 'backup_taken')
  return withOffsite(at, at && !note?.isLasting ? ['disk does not last'] : [], context, now)
}

/**
 * Adds the offsite record. If the last uploaded backup is recent, the risks no longer matter and
 * are dropped.
 */
function withOffsite(
  at: Date | undefined,
  risks: BackupRisk[],
  { dataDir, everyHours }: BackupContext,
  now: Date,
) {
  const offsite = readOffsiteRecord(dataDir)
  if (!at || !offsite?.at) return { at, risks, offsite }
  const isRecent = offsite.name === backupName(at) || backupAge(offsite.at, now, everyHours) === 'fresh'
  return { at, risks: isRecent ? [] : risks, offsite }
}

function risksOfFile(path: string, { dataDir, mountInfo }: BackupContext): BackupRisk[] {
  if (!isPermanent(mountInfo, realpathSync(path))) return ['disk does not last']
  const leads = join(dataDir, 'leads.db')
  return existsSync(leads) && statSync(path).dev === statSync(leads).dev ? ['same disk'] : []
}

/**
 * The last uploaded backup. Both fields are null if nothing has been uploaded yet, or if the record
 * is unreadable.
 */
type OffsiteRecord = { name: string; at: Date } | { name: null; at: null }

const NO_UPLOAD: OffsiteRecord = { name: null, at: null }

/**
 * Reads the record that `server/offsite/offsite.sh` writes; undefined if the Compose profile
 * `offsite` has never run.
 */
export function readOffsiteRecord(dataDir: string): OffsiteRecord | undefined {
  const path = join(dataDir, 'offsite', 'offsite.json')
  if (!existsSync(path)) return undefined
  try {
    const { backup: name } = JSON.parse(readFileSync(path, 'utf8'))
    const at = backupTime(name)
    return at ? { name, at } : NO_UPLOAD
  } catch {
    return NO_UPLOAD
  }
}
