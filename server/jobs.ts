import { setTimeout as sleep } from 'node:timers/promises'
import { createScheduledBackup } from './backup/scheduled-backup.ts'
import type { Context } from './context.ts'
import type { Outbox } from './create-outbox.ts'
import { withJobLease } from './database/job-lease.ts'
import type { Storage } from './database/open-storage.ts'
import { createOwnerDigest } from './digest/owner-digest.ts'
import type { Leads } from './leads/create-leads.ts'
import { createNoticeLists } from './leads/notice-list.ts'
import { createRetention } from './leads/retention.ts'
import { createReminders } from './reminders/reminders.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
// No job needs this long. If one runs for longer, its replica is stuck.
const STUCK_AFTER_MS = 60 * MINUTE_MS

/** Work that no request starts. */
export type Job = {
  /** Also names the job's lease: on PostgreSQL, one replica at a time runs it. */
  name: string
  everyMs: number
  /** How long to wait before the first run. */
  firstAfterMs?: number
  /** If false, the job never runs. */
  isNeeded?: boolean
  /** If true, each replica runs it, because the work is about the replica itself. */
  isOnEachReplica?: boolean
  /** Does the work that is due. `signal` aborts when the server stops or another replica takes over. */
  run: (signal: AbortSignal) => Promise<unknown>
}

type Parts = { leads: Leads; outbox: Outbox; storage: Pick<Storage, 'renewLock'> }

/** The table of all jobs. */
export function allJobs(context: Context, { leads, outbox, storage }: Parts): Job[] {
  const { env } = context
  const { budget, mailDir, waitingSince } = outbox
  const mail = { ...context, mailFrom: env.MAIL_FROM, mailTo: env.MAIL_TO, onQueued: outbox.wake }
  return [
    {
      name: 'lock of the data directory',
      everyMs: MINUTE_MS,
      isNeeded: storage.renewLock !== undefined,
      isOnEachReplica: true,
      run: async () => storage.renewLock?.(),
    },
    {
      name: 'spam filter',
      everyMs: 5 * MINUTE_MS,
      isOnEachReplica: true,
      run: leads.learnWords,
    },
    {
      name: 'limits',
      everyMs: MINUTE_MS,
      run: leads.pruneLimits,
    },
    {
      name: 'notice list',
      everyMs: MINUTE_MS,
      run: createNoticeLists({ ...mail, budget }),
    },
    {
      name: 'reminders',
      everyMs: MINUTE_MS,
      isNeeded: outbox.sendsReminders,
      run: createReminders(mail),
    },
    {
      name: 'digest',
      everyMs: MINUTE_MS,
      run: createOwnerDigest({
        ...mail,
        waitingSince,
        dataDir: env.DATA_DIR,
        backupDir: env.BACKUP_DIR,
        backupEveryHours: env.BACKUP_EVERY_HOURS,
        retentionDays: env.RETENTION_DAYS,
      }),
    },
    {
      name: 'retention',
      everyMs: 60 * MINUTE_MS,
      isNeeded: env.RETENTION_DAYS > 0,
      run: createRetention({ ...context, mailDir, days: env.RETENTION_DAYS }),
    },
    {
      name: 'backup',
      everyMs: 15 * MINUTE_MS,
      firstAfterMs: MINUTE_MS,
      run: createScheduledBackup({
        ...context,
        backupDir: env.BACKUP_DIR,
        everyHours: env.BACKUP_EVERY_HOURS,
      }),
    },
  ]
}

type Deps = Pick<Context, 'db' | 'log' | 'now'>

/** Starts the jobs. A job that fails is logged and runs again at its next time; the others go on. */
export function startJobs({ db, log, now }: Deps, jobs: readonly Job[]) {
  const stopping = new AbortController()
  const stopped = stopping.signal

  async function repeat(job: Job) {
    await sleep(job.firstAfterMs ?? 0, undefined, { signal: stopped })
    while (!stopped.aborted) {
      await runOnce(job)
      await sleep(job.everyMs, undefined, { signal: stopped })
    }
  }

  async function runOnce({ name, everyMs, isOnEachReplica, run }: Job) {
    try {
      if (isOnEachReplica) await run(stopped)
      else {
        const since = await withJobLease({ db, now }, name, async (lost) => {
          stopped.throwIfAborted()
          await run(AbortSignal.any([stopped, lost]))
        })
        if (since && now().getTime() - since.getTime() > STUCK_AFTER_MS)
          log.warn({ job: name, since }, 'another replica has been running this job for over an hour')
      }
    } catch (error) {
      if (!stopped.aborted) log.error({ err: error, retryInSeconds: everyMs / SECOND_MS }, `${name} failed`)
    }
  }

  const running = jobs
    .filter(({ isNeeded = true }) => isNeeded)
    // `sleep` rejects when the server stops.
    .map((job) => repeat(job).catch(() => {}))
  return {
    /** Aborts the running jobs, and resolves when all of them have ended. */
    async stop() {
      stopping.abort()
      await Promise.all(running)
    },
  }
}
