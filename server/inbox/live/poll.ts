import { StorageUnavailable } from '../../database/storage-error.ts'

type Deps = {
  /** Everything that matters, as a text. */
  read: () => Promise<string>
  /** Whether to pause until the next start. */
  isIdle: () => boolean
  onChange: () => void
  /** The poll has stopped: changes would go unnoticed. */
  onFailure: () => void
}

const EVERY_MS = 500
// A database that does not answer must not leave pages believing that nothing has changed.
const PATIENCE_MS = 3_000

/** Calls `onChange` within half a second after what `read` returns has changed. */
export function createPoll({ read, isIdle, onChange, onFailure }: Deps) {
  type Run = { ready: Promise<void>; last?: string; timer?: NodeJS.Timeout }
  let current: Run | undefined

  function stop() {
    clearTimeout(current?.timer)
    current = undefined
  }

  async function begin(run: Run) {
    run.last = await inTime(read())
    schedule(run)
  }

  function schedule(run: Run) {
    if (run === current) run.timer = setTimeout(next, EVERY_MS, run)
  }

  async function next(run: Run) {
    if (isIdle()) return stop()
    try {
      const found = await inTime(read())
      if (run !== current) return
      if (found !== run.last) onChange()
      run.last = found
      schedule(run)
    } catch {
      if (run !== current) return
      stop()
      onFailure()
    }
  }

  return {
    /** Resolves once every later change will be noticed. Rejects if the database cannot be read. */
    async start(): Promise<void> {
      if (!current) {
        const run: Run = { ready: Promise.resolve() }
        current = run
        run.ready = begin(run)
      }
      const run = current
      try {
        await run.ready
      } catch (error) {
        if (run === current) stop()
        throw error
      }
    },
    stop,
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new StorageUnavailable('The database did not answer.')), PATIENCE_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
