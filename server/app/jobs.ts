import { setTimeout as sleep } from 'node:timers/promises'
import { createScheduledBackup } from '../backup/scheduled-backup.ts'
import type { Leads } from '../contact/create-leads.ts'
import type { Context } from '../context.ts'
import { runAlone } from '../database/differences.ts'
import { endOf } from '../inbox/sign-in/sessions.ts'
import { createUploadCleanup } from '../leads/answers/upload-file.ts'
import { createNoticeLists } from '../leads/emails/notice-list.ts'
import { createRetention } from '../leads/erase/retention.ts'
import { createArrivalCheck } from '../mailbox/arrivals.ts'
import { isReadSince } from '../mailbox/trouble.ts'
import { createTroubleReport } from '../mailbox/trouble-email.ts'
import { createMailboxWatch } from '../mailbox/watch-mailbox.ts'
import { createPushNews } from '../push/push-news.ts'
import { createFollowUps } from '../reminders/follow-ups.ts'
import { createMorning } from '../reminders/morning.ts'
import { createReminders } from '../reminders/reminders.ts'
import type { Outbox } from './create-outbox.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
// By then, a server that was off, or on a machine that slept, has read the mailbox and taken a
// backup.
const SETTLED_AFTER_MS = 3 * MINUTE_MS

/** Work that no request starts. */
export type Job = {
  /** On PostgreSQL, one replica at a time runs the job with this name. */
  name: string
  everyMs: number
  /** How long to wait before the first run, and after the machine has slept. */
  firstAfterMs?: number
  /** If false, the job never runs. */
  isNeeded?: boolean
  /** If true, each replica runs it, because the work is about the replica itself. */
  isOnEachReplica?: boolean
  /**
   * Does the work that is due. `signal` aborts when the server stops, or when another replica may
   * run the job, too.
   */
  run: (signal: AbortSignal) => Promise<unknown>
}

type Parts = { leads: Leads; outbox: Outbox; followClock: Job['run'] }

/** The table of all jobs. */
export function allJobs(context: Context, { leads, outbox, followClock }: Parts): Job[] {
  const { env } = context
  const startedAt = context.now()
  const readsMailbox = env.INBOX === 'on' && env.IMAP_URL !== undefined
  return [
    { name: 'spam filter', everyMs: 5 * MINUTE_MS, isOnEachReplica: true, run: leads.learnWords },
    { name: 'clock', everyMs: MINUTE_MS, isOnEachReplica: true, run: followClock },
    { name: 'limits', everyMs: MINUTE_MS, run: leads.pruneLimits },
    {
      name: 'notice list',
      everyMs: MINUTE_MS,
      run: createNoticeLists(context),
    },
    {
      name: 'reminders',
      everyMs: MINUTE_MS,
      firstAfterMs: SETTLED_AFTER_MS,
      isNeeded: outbox.sendsReminders,
      run: createReminders(context),
    },
    {
      name: 'follow-ups',
      everyMs: MINUTE_MS,
      firstAfterMs: SETTLED_AFTER_MS,
      isNeeded: outbox.sendsReminders,
      run: createFollowUps(context),
    },
    {
      name: 'morning email',
      everyMs: MINUTE_MS,
      firstAfterMs: SETTLED_AFTER_MS,
      run: createMorning({ ...context, sendsReminders: outbox.sendsReminders }),
    },
    {
      name: 'retention',
      everyMs: 60 * MINUTE_MS,
      firstAfterMs: SETTLED_AFTER_MS,
      isNeeded: env.RETENTION_DAYS > 0,
      run: createRetention({
        ...context,
        mailDir: outbox.mailDir,
        days: env.RETENTION_DAYS,
        hasInbox: env.INBOX === 'on',
        areMessagesRead: async () => !readsMailbox || isReadSince(context.db, startedAt),
      }),
    },
    {
      name: 'unfinished uploads',
      everyMs: 10 * MINUTE_MS,
      isNeeded: env.INBOX === 'on',
      run: createUploadCleanup(context),
    },
    {
      name: 'push',
      everyMs: 2 * SECOND_MS,
      isNeeded: env.INBOX === 'on',
      run: createPushNews({ ...context, sessionEndsAt: endOf }),
    },
    {
      name: 'mailbox',
      // It runs for most of an hour. Other replicas look whether it has ended.
      everyMs: 2 * SECOND_MS,
      isNeeded: readsMailbox,
      run: createMailboxWatch({ ...context, imapUrl: env.IMAP_URL ?? '' }),
    },
    {
      name: 'mailbox trouble',
      everyMs: MINUTE_MS,
      firstAfterMs: SETTLED_AFTER_MS,
      isNeeded: readsMailbox,
      run: createTroubleReport(context),
    },
    {
      name: 'mail arrival',
      everyMs: MINUTE_MS,
      // Also without a mailbox: what was noted about an earlier one is over.
      run: createArrivalCheck(context),
    },
    {
      name: 'backup',
      everyMs: 15 * MINUTE_MS,
      firstAfterMs: MINUTE_MS,
      run: createScheduledBackup(context),
    },
  ]
}

/**
 * Starts the jobs. A job that fails is logged and runs again at its next time; the others go on.
 */
export function startJobs({ db, log, now }: Pick<Context, 'db' | 'log' | 'now'>, jobs: readonly Job[]) {
  const stopping = new AbortController()
  const { signal } = stopping

  async function repeat({ name, everyMs, firstAfterMs = 0, isOnEachReplica, run }: Job) {
    await sleep(firstAfterMs, undefined, { signal })
    while (!signal.aborted) {
      try {
        const start = async (lost?: AbortSignal) => {
          // The stop may have come while this waited for the lock.
          signal.throwIfAborted()
          return run(lost ? AbortSignal.any([signal, lost]) : signal)
        }
        await (isOnEachReplica ? start() : runAlone(db, name, start))
      } catch (error) {
        if (!signal.aborted) log.error({ err: error, retryInSeconds: everyMs / SECOND_MS }, `${name} failed`)
      }
      const endedAt = now().getTime()
      await sleep(everyMs, undefined, { signal })
      const hasSlept = now().getTime() - endedAt > everyMs + MINUTE_MS
      if (hasSlept) await sleep(firstAfterMs, undefined, { signal })
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
