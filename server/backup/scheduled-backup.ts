import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Context } from '../context.ts'
import type { Env } from '../env.ts'
import { saveErasures } from '../leads/erase/erasures.ts'
import { lastBackupAt } from './backup-files.ts'
import type { BackupReport } from './take-backup.ts'

const HOUR_MS = 60 * 60 * 1000
// The schedule starts at 8:00 UTC, which is 3 or 4 a.m. US Eastern time.
const START_MS = 8 * HOUR_MS

type Deps = Pick<Context, 'db' | 'log' | 'now'> & {
  env: Pick<Env, 'BACKUP_DIR' | 'BACKUP_EVERY_HOURS'>
}

/**
 * Whether no backup has been taken since the last scheduled time. Backups are scheduled every
 * `everyHours` hours, starting at 8:00 UTC.
 */
export function isBackupDue(lastAt: Date | undefined, now: Date, everyHours: number): boolean {
  const everyMs = everyHours * HOUR_MS
  const scheduledMs = Math.floor((now.getTime() - START_MS) / everyMs) * everyMs + START_MS
  return !lastAt || lastAt.getTime() < scheduledMs
}

/** Creates a job that takes a backup when one is due. */
export function createScheduledBackup({ db, env, log, now }: Deps) {
  return async function backUpIfDue(signal: AbortSignal): Promise<void> {
    if (!isBackupDue(await lastBackupAt(db, env.BACKUP_DIR, now()), now(), env.BACKUP_EVERY_HOURS)) return
    const { bytes, leads } = await backUpInChildProcess(signal)
    await saveErasures(db, env.BACKUP_DIR, [], now())
    log.info({ bytes, leads }, 'backup taken')
  }
}

/** Takes a backup in a child process, because copying a large database would block requests. */
async function backUpInChildProcess(signal: AbortSignal): Promise<BackupReport> {
  // The child inherits the whole environment, because it may need variables such as `PGPASSWORD` or
  // `NODE_EXTRA_CA_CERTS`.
  const args = [join(import.meta.dirname, '../cli/backup.ts'), '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { signal }).catch(
    ({ message, stderr }) => Promise.reject(new Error(stderr || message)),
  )
  return JSON.parse(stdout)
}
