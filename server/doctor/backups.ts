import { count } from '#shared/count.ts'
import { backupAge } from '../backup/backup-files.ts'
import { type BackupRisk, findNewestBackup } from '../backup/newest-backup.ts'
import { type DatabaseContext, type Found, ok, problem, warning } from './check.ts'

const HOUR_MS = 60 * 60 * 1000

const risks: Record<BackupRisk, string> = {
  'same disk': 'is on the same disk as the leads: if that fails, both are lost',
  'disk does not last': 'is on a temporary disk: the next restart may delete it',
}

type BackupsContext = Pick<DatabaseContext, 'db' | 'env' | 'now' | 'mountInfo' | 'command'>

/**
 * Checks the age and the risks of the newest backup, and the age of the newest offsite backup.
 * `missing` rates that there is none: on a new installation, that is no problem yet.
 */
export async function checkBackups(
  { db, env, now, mountInfo, command }: BackupsContext,
  missing = warning,
): Promise<Found[]> {
  const { DATA_DIR: dataDir, BACKUP_DIR: backupDir, BACKUP_EVERY_HOURS: everyHours } = env
  const newest = await findNewestBackup(db, { dataDir, backupDir, everyHours, mountInfo }, now)
  const checkAge = (name: string, at: Date | null | undefined, advice: string): Found => {
    if (!at) return missing(`There is no ${name} yet.`, advice)
    const hours = Math.floor((now.getTime() - at.getTime()) / HOUR_MS)
    const seen = `The last ${name} is ${hours < 1 ? 'less than 1 hour' : count(hours, 'hour')} old.`
    const age = backupAge(at, now, everyHours)
    if (age === 'fresh') return ok(seen)
    return age === 'late' ? warning(seen, advice) : problem(seen, advice)
  }
  const otherDisk =
    'Set BACKUP_DIR to a folder on another disk, or use the offsite profile (see server/operations.md).'
  const seeLog = 'To see why, run: docker compose logs offsite'
  return [
    checkAge('backup', newest.at, `Take one now, and read what this prints: ${command('backup')}`),
    ...newest.risks.map((risk) => warning(`The last backup ${risks[risk]}.`, otherDisk)),
    ...(newest.offsite ? [checkAge('offsite backup', newest.offsite.at, seeLog)] : []),
  ]
}
