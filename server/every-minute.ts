import type { Logger } from 'pino'
import { withJobLease } from './database/job-lease.ts'
import type { Database } from './database/schema.ts'

const MINUTE_MS = 60_000
// No job needs this long. If one runs for longer, its replica is stuck.
const STUCK_AFTER_MS = 60 * MINUTE_MS

/** Called every minute: does the work that is due. `signal` aborts when the server stops or another replica takes over. */
export type Job = (signal: AbortSignal) => Promise<void>

type Deps = { db: Database; log: Logger; now: () => Date }

/** Runs each job once a minute, on one replica at a time. A failed job runs again a minute later. */
export function createEveryMinute({ db, log, now }: Deps, jobs: Record<string, Job>) {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  async function run(name: string, job: Job) {
    try {
      const since = await withJobLease({ db, now }, name, (lost) =>
        job(AbortSignal.any([stopping.signal, lost])),
      )
      if (since && now().getTime() - since.getTime() > STUCK_AFTER_MS)
        log.warn({ job: name, since }, 'another replica has been running this job for over an hour')
    } catch (error) {
      log.error({ job: name, err: error }, 'job failed, retrying in a minute')
    }
  }

  function runAll() {
    for (const [name, job] of Object.entries(jobs))
      if (!running.has(name))
        running.set(
          name,
          run(name, job).finally(() => running.delete(name)),
        )
  }

  return {
    start() {
      timer = setInterval(runAll, MINUTE_MS)
      runAll()
    },
    /** Aborts the running jobs, and resolves when all of them have ended. */
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
