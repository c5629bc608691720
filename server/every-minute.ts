import type { Logger } from 'pino'

const MINUTE_MS = 60_000

/** Runs each job once a minute, one after the other; one that fails is logged and runs again the next time. */
export function createEveryMinute(log: Logger, jobs: Record<string, () => Promise<void>>) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined

  async function runAll() {
    for (const [job, run] of Object.entries(jobs))
      await run().catch((error: unknown) =>
        log.error({ job, err: error }, 'job failed, next try in a minute'),
      )
  }

  function run() {
    running ??= runAll().finally(() => {
      running = undefined
    })
  }

  return {
    start() {
      timer = setInterval(run, MINUTE_MS)
      run()
    },
    /** Resolves when none is under way any more. */
    async stop() {
      clearInterval(timer)
      await running
    },
  }
}
