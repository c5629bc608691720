import type { Logger } from 'pino'
import { takeTurn } from './database/differences.ts'
import type { Database } from './database/schema.ts'

const MINUTE_MS = 60_000

/** What is to be done when it is due; `signal` aborts when the server stops. */
export type Job = (signal: AbortSignal) => Promise<void>

/**
 * Runs each job once a minute, and of several copies of the program only one at a time. A job that is still at it is
 * left alone; one that fails is logged and runs again the next time.
 */
export function createEveryMinute(db: Database, log: Logger, jobs: Record<string, Job>) {
  const stopping = new AbortController()
  const running = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined

  async function run(name: string, job: Job) {
    try {
      await takeTurn(db, name, () => job(stopping.signal))
    } catch (error) {
      log.error({ job: name, err: error }, 'job failed, next try in a minute')
    }
  }

  function look() {
    for (const [name, job] of Object.entries(jobs))
      if (!running.has(name))
        running.set(
          name,
          run(name, job).finally(() => running.delete(name)),
        )
  }

  return {
    start() {
      timer = setInterval(look, MINUTE_MS)
      look()
    },
    /** Resolves when none is under way any more. */
    async stop() {
      clearInterval(timer)
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
