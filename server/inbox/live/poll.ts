import { setTimeout as sleep } from 'node:timers/promises'
import { StorageUnavailable } from '../../database/storage-error.ts'
import { orAbort } from '../../deadline.ts'

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
  let current: { first: Promise<string>; stopping: AbortController } | undefined

  function stop() {
    current?.stopping.abort()
    current = undefined
  }

  async function run(first: Promise<string>, { signal }: AbortController) {
    try {
      for (let last = await first; ; ) {
        await sleep(POLL_EVERY_MS, undefined, { signal })
        if (isIdle()) return stop()
        const found = await inTime(read())
        if (signal.aborted) return
        if (found !== last) onChange()
        last = found
      }
    } catch {
      if (signal.aborted) return
      stop()
      onFailure()
    }
  }

  return {
    /** Resolves once polling has begun: from then on, every change is noticed. Rejects if the database cannot be read. */
    async start(): Promise<void> {
      if (!current) {
        current = { first: inTime(read()), stopping: new AbortController() }
        run(current.first, current.stopping)
      }
      await current.first
    },
    stop,
  }
}

const inTime = <Result>(work: Promise<Result>): Promise<Result> =>
  orAbort(work, AbortSignal.timeout(PATIENCE_MS)).catch((error: unknown) => {
    throw new StorageUnavailable(error)
  })
