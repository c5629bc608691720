import type { Logger } from 'pino'
import { withJobLease } from '../database/job-lease.ts'
import type { Database } from '../database/schema.ts'
import { lastBackupAt } from './backup-files.ts'
import type { BackupReport } from './take-backup.ts'

const HOUR_MS = 60 * 60 * 1000
// 8:00 UTC is 3 or 4 in the morning in the agency's America.
const NIGHT_MS = 8 * HOUR_MS
const LOOK_EVERY_MS = 60 * 1000
const TRY_AGAIN_MS = 15 * 60 * 1000

type Deps = {
  db: Database
  backupDir: string
  everyHours: number
  log: Logger
  now: () => Date
  takeBackup: (signal: AbortSignal) => Promise<BackupReport>
}

/**
 * Whether there is no backup since the latest slot. Slots come every `everyHours`, counted from 8:00 UTC; one that passed
 * while the server was off is made up for. Pure.
 */
export function isBackupDue(lastAt: Date | undefined, now: Date, everyHours: number): boolean {
  const everyMs = everyHours * HOUR_MS
  const slot = Math.floor((now.getTime() - NIGHT_MS) / everyMs) * everyMs + NIGHT_MS
  return !lastAt || lastAt.getTime() < slot
}

/** Takes a backup each night, or as often as is set, one for all replicas, and 15 minutes after one that failed. */
export function createNightlyBackup({ db, backupDir, everyHours, log, now, takeBackup }: Deps) {
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  // By the steady clock, which no one sets.
  let notBefore = 0

  async function backUpIfDue() {
    try {
      await withJobLease({ db, now }, 'backup', async (lost) => {
        if (!isBackupDue(await lastBackupAt(db, backupDir, now()), now(), everyHours)) return
        stopping.signal.throwIfAborted()
        const { bytes, leads, warning } = await takeBackup(AbortSignal.any([stopping.signal, lost]))
        log.info({ bytes, leads }, 'backup taken')
        if (warning) log.warn({ reason: warning }, 'backup taken, but a restore would refuse it')
      })
    } catch (error) {
      if (stopping.signal.aborted) return
      notBefore = performance.now() + TRY_AGAIN_MS
      log.error({ reason: String(error), retryInSeconds: TRY_AGAIN_MS / 1000 }, 'backup failed')
    }
  }

  /** Takes a backup if one is due; resolves when nothing is under way any more. */
  function look(): Promise<void> {
    if (running || performance.now() < notBefore) return running ?? Promise.resolve()
    running = backUpIfDue().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    look,
    start() {
      timer = setInterval(look, LOOK_EVERY_MS)
    },
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}
