import { StorageUnavailable } from '../../database/storage-error.ts'

type Deps = {
  /** Returns a string. If it differs from the previous one, `onChange` is called. */
  read: () => Promise<string>
  /** Whether to stop polling until the next `start`. */
  isIdle: () => boolean
  onChange: () => void
  /** Called when a read has failed. Polling has then stopped, so changes would go unnoticed. */
  onFailure: () => void
}

export const POLL_EVERY_MS = 500
// A read that takes longer counts as failed: otherwise, the caller would go on believing that nothing has changed.
const PATIENCE_MS = 3_000

/** Calls `read` every half second, and `onChange` when the result has changed. */
export function createPoll({ read, isIdle, onChange, onFailure }: Deps) {
  type Run = { ready: Promise<void>; last?: string; timer?: NodeJS.Timeout }
  let current: Run | undefined

  function stop() {
    clearTimeout(current?.timer)
    current = undefined
  }

  async function begin(run: Run) {
    run.last = await withTimeout(read())
    schedule(run)
  }

  function schedule(run: Run) {
    if (run === current) run.timer = setTimeout(next, POLL_EVERY_MS, run)
  }

  async function next(run: Run) {
    if (isIdle()) return stop()
    try {
      const found = await withTimeout(read())
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
    /** Resolves once polling has begun: from then on, every change is noticed. Rejects if the database cannot be read. */
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

async function withTimeout<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new StorageUnavailable('The database did not answer.')), PATIENCE_MS)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
