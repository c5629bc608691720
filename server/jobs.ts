import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { withJobLease } from './database/job-lease.ts'
import type { Database } from './database/schema.ts'

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
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

type Deps = { db: Database; log: Logger; now: () => Date }

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
