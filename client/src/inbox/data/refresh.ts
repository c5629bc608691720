import { createSignal } from './signal.ts'

/** What the page shows may be older than this only if the page says so. */
export const UNNOTICED_MS = 1_000

type Deps = {
  /** Fetches everything on the page; false if something could not be fetched. */
  fetchAll: () => Promise<boolean>
  /** Whether something is being fetched that may have been read before the change. */
  isFetching: () => boolean
  retryInMs: (retries: number) => number
}

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Fetches again after changes, one round at a time, until a round that began after the latest change has succeeded. */
export function createRefresh({ fetchAll, isFetching, retryInMs }: Deps) {
  /** For longer than a second, or since the stream was lost. */
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
    /** Changes may have been missed. */
    afterGap() {
      isBehind.set(true)
      void run()
    },
    /** Fetches nothing until released: it would replace what is shown before the server has confirmed it. */
    hold() {
      holds++
      return () => {
        holds--
        void run()
      }
    },
  }
}
