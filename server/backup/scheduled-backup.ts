import type { Logger } from 'pino'
import { withJobLease } from '../database/job-lease.ts'
import type { Database } from '../database/schema.ts'
import { lastBackupAt } from './backup-files.ts'
import type { BackupReport } from './take-backup.ts'

const HOUR_MS = 60 * 60 * 1000
// The schedule starts at 8:00 UTC, which is 3 or 4 a.m. US Eastern time.
const START_MS = 8 * HOUR_MS
const CHECK_EVERY_MS = 60 * 1000
const RETRY_AFTER_MS = 15 * 60 * 1000

type Deps = {
  db: Database
  backupDir: string
  everyHours: number
  log: Logger
  now: () => Date
  takeBackup: (signal: AbortSignal) => Promise<BackupReport>
}

/**
 * Whether no backup has been taken since the last scheduled time. Backups are scheduled every `everyHours` hours, starting
 * at 8:00 UTC.
 */
export function isBackupDue(lastAt: Date | undefined, now: Date, everyHours: number): boolean {
  const everyMs = everyHours * HOUR_MS
  const scheduledMs = Math.floor((now.getTime() - START_MS) / everyMs) * everyMs + START_MS
  return !lastAt || lastAt.getTime() < scheduledMs
}

/** Takes scheduled backups, on one replica at a time. Retries 15 minutes after a failure. */
export function createScheduledBackup({ db, backupDir, everyHours, log, now, takeBackup }: Deps) {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  // A time from `performance.now`, so that changes to the system clock don't matter.
  let notBefore = 0

  async function checkAndBackUp() {
    try {
      await withJobLease({ db, now }, 'backup', async (lost) => {
        if (!isBackupDue(await lastBackupAt(db, backupDir, now()), now(), everyHours)) return
        stopping.signal.throwIfAborted()
        const { bytes, leads } = await takeBackup(AbortSignal.any([stopping.signal, lost]))
        log.info({ bytes, leads }, 'backup taken')
      })
    } catch (error) {
      if (stopping.signal.aborted) return
      notBefore = performance.now() + RETRY_AFTER_MS
      log.error({ reason: String(error), retryInSeconds: RETRY_AFTER_MS / 1000 }, 'backup failed')
    }
  }

  /** Takes a backup if one is due. If a backup is already running, waits for it instead. */
  function backUpIfDue(): Promise<void> {
    if (running || performance.now() < notBefore) return running ?? Promise.resolve()
    running = checkAndBackUp().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    backUpIfDue,
    start() {
      timer = setInterval(backUpIfDue, CHECK_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
