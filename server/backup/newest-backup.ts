import { existsSync, realpathSync, statSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote } from '../database/settings.ts'
import { isLasting } from '../files/mount.ts'
import { backupAge } from './backup-age.ts'
import { backupName, lastBackup, lastBackupAt } from './backup-files.ts'
import { type OffsiteRecord, readOffsiteRecord } from './offsite-record.ts'

/** What could take the newest backup away, alone or together with the leads. */
export type BackupRisk = 'same disk' | 'disk does not last' | 'gone'

export type NewestBackup = { at: Date | undefined; risks: BackupRisk[]; offsite: OffsiteRecord | undefined }

/** Where a replica left the backup that it took of PostgreSQL. */
export type BackupFile = { at: string; host: string; path: string; isLasting: boolean }

/** Where backups are, how often they are due, and the text of `/proc/self/mountinfo`. */
export type BackupSurroundings = { dataDir: string; backupDir: string; everyHours: number; mountInfo: string }

/** The newest backup of `leads.db`, judged by its file. */
export function newestBackupFile(surroundings: BackupSurroundings, now: Date): NewestBackup {
  const newest = lastBackup(surroundings.backupDir, now)
  return withoutSent(newest?.at, newest ? risksOfFile(newest.path, surroundings) : [], surroundings, now)
}

/** The same with either database; with PostgreSQL by what was recorded, since the file may be on another machine. */
export async function findNewestBackup(
  db: Database,
  surroundings: BackupSurroundings,
  now: Date,
): Promise<NewestBackup> {
  if (!isShared(db)) return newestBackupFile(surroundings, now)
  const at = await lastBackupAt(db, surroundings.backupDir, now)
  const file = await readNote<BackupFile>(db, 'backup_file')
  // A replica of an older version records the time alone.
  const risks = file && file.at === at?.toISOString() ? risksOfRecord(file) : []
  return withoutSent(at, risks, surroundings, now)
}

/** Nothing takes away what was sent elsewhere. */
function withoutSent(
  at: Date | undefined,
  risks: BackupRisk[],
  { dataDir, everyHours }: BackupSurroundings,
  now: Date,
): NewestBackup {
  const offsite = readOffsiteRecord(dataDir)
  const isSent =
    at &&
    offsite?.at &&
    (offsite.name === backupName(at) || backupAge(offsite.at, now, everyHours) === 'fresh')
  return { at, risks: isSent ? [] : risks, offsite }
}

function risksOfFile(path: string, { dataDir, mountInfo }: BackupSurroundings): BackupRisk[] {
  if (!isLasting(mountInfo, realpathSync(path))) return ['disk does not last']
  const leads = join(dataDir, 'leads.db')
  return existsSync(leads) && statSync(path).dev === statSync(leads).dev ? ['same disk'] : []
}

function risksOfRecord(file: BackupFile): BackupRisk[] {
  const risks: BackupRisk[] = file.isLasting ? [] : ['disk does not last']
  return file.host === hostname() && !existsSync(file.path) ? [...risks, 'gone'] : risks
}
