import { createSignal } from './signal.ts'

/** After being out of date for this long, the page says so. */
export const UNNOTICED_MS = 1_000

type Deps = {
  /** Fetches everything on the page. Resolves to false if something failed. */
  fetchAll: () => Promise<boolean>
  /** Whether a fetch is in progress. It may return data from before the latest change. */
  isFetching: () => boolean
  retryInMs: (retries: number) => number
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** After a change, fetches everything, one round at a time, until a round that began after the latest change succeeds. */
export function createRefresh({ fetchAll, isFetching, retryInMs }: Deps) {
  /** Whether the page has been out of date for over a second, may have missed changes, or failed to fetch something. */
  const isBehind = createSignal(false)
  let isRunning = false
  let isAsked = false
  let holds = 0
  let late: ReturnType<typeof setTimeout> | undefined

  async function run() {
    isAsked = true
    late ??= setTimeout(isBehind.set, UNNOTICED_MS, true)
    if (isRunning) return
    isRunning = true
    for (let failures = 0; isAsked && holds === 0; ) {
      isAsked = isFetching()
      if (await fetchAll()) continue
      isBehind.set(true)
      isAsked = true
      await wait(retryInMs(failures++))
    }
    isRunning = false
    // Fetching is on hold: releasing the hold starts the next round.
    if (isAsked) return
    clearTimeout(late)
    late = undefined
    isBehind.set(false)
  }

  return {
    isBehind,
    now: () => void run(),
    /** Call this when changes may have been missed. */
    afterGap() {
      isBehind.set(true)
      void run()
    },
    /**
     * Pauses fetching until the returned function is called: a response could overwrite a change that the server hasn't
     * confirmed yet.
     */
    hold() {
      holds++
      // The caller also cancels the reads in progress, so this round must be repeated.
      if (isRunning) isAsked = true
      return () => {
        if (--holds === 0) void run()
      }
    },
  }
}
