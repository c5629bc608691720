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

/** Why the newest backup may be lost, alone or together with the leads. */
export type BackupRisk = 'same disk' | 'disk does not last' | 'gone'

export type NewestBackup = { at: Date | undefined; risks: BackupRisk[]; offsite: OffsiteRecord | undefined }

/** Where a replica stored its backup of PostgreSQL. */
export type BackupFile = { at: string; host: string; path: string; isLasting: boolean }

/** `mountInfo` is the text of `/proc/self/mountinfo`. */
export type BackupContext = { dataDir: string; backupDir: string; everyHours: number; mountInfo: string }

/** The newest backup of `leads.db` and its risks. */
export function newestBackupFile(surroundings: BackupContext, now: Date): NewestBackup {
  const newest = lastBackup(surroundings.backupDir, now)
  return withOffsite(newest?.at, newest ? risksOfFile(newest.path, surroundings) : [], surroundings, now)
}

/** The same for either database. For PostgreSQL it uses the recorded facts: the file may be on another machine. */
export async function findNewestBackup(
  db: Database,
  surroundings: BackupContext,
  now: Date,
): Promise<NewestBackup> {
  if (!isShared(db)) return newestBackupFile(surroundings, now)
  const at = await lastBackupAt(db, surroundings.backupDir, now)
  const file = await readNote<BackupFile>(db, 'backup_file')
  // Older versions record only the time.
  const risks = file && file.at === at?.toISOString() ? risksOfRecord(file) : []
  return withOffsite(at, risks, surroundings, now)
}

/** Adds the offsite record. A recent offsite backup removes all risks. */
function withOffsite(
  at: Date | undefined,
  risks: BackupRisk[],
  { dataDir, everyHours }: BackupContext,
  now: Date,
): NewestBackup {
  const offsite = readOffsiteRecord(dataDir)
  const isSent =
    at &&
    offsite?.at &&
    (offsite.name === backupName(at) || backupAge(offsite.at, now, everyHours) === 'fresh')
  return { at, risks: isSent ? [] : risks, offsite }
}

function risksOfFile(path: string, { dataDir, mountInfo }: BackupContext): BackupRisk[] {
  if (!isLasting(mountInfo, realpathSync(path))) return ['disk does not last']
  const leads = join(dataDir, 'leads.db')
  return existsSync(leads) && statSync(path).dev === statSync(leads).dev ? ['same disk'] : []
}

function risksOfRecord(file: BackupFile): BackupRisk[] {
  const risks: BackupRisk[] = file.isLasting ? [] : ['disk does not last']
  return file.host === hostname() && !existsSync(file.path) ? [...risks, 'gone'] : risks
}
