import { createSignal } from './signal.ts'

/** A page that has been out of date for longer than this says so. */
export const UNNOTICED_MS = 1_000

type Deps = {
  /** Fetches everything on the page. False if something failed. */
  fetchAll: () => Promise<boolean>
  /** Whether a fetch is in progress, which may return data from before the change. */
  isFetching: () => boolean
  retryInMs: (retries: number) => number
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Fetches after changes, one round at a time, until a round that began after the latest change succeeds. */
export function createRefresh({ fetchAll, isFetching, retryInMs }: Deps) {
  /** Whether the page has been out of date for over a second, or the stream is lost. */
  const isBehind = createSignal(false)
  let isRunning = false
  let isAskedAgain = false
  let holds = 0

  async function run() {
    isAskedAgain = true
    if (isRunning) return
    isRunning = true
    const late = setTimeout(isBehind.set, UNNOTICED_MS, true)
    for (let failures = 0; isAskedAgain && holds === 0; ) {
      isAskedAgain = isFetching()
      if (await fetchAll()) continue
      isBehind.set(true)
      isAskedAgain = true
      await wait(retryInMs(failures++))
    }
    clearTimeout(late)
    isRunning = false
    if (!isAskedAgain) isBehind.set(false)
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
     * Pauses fetching until released, because a response could overwrite a change that the server hasn't confirmed yet.
     */
    hold() {
      holds++
      return () => {
        holds--
        void run()
      }
    },
  }
}
