import { PATIENCE_MS, PING_MS, streamEvents } from '#shared/inbox/api.ts'
import { createSignal } from './signal.ts'

type Source = { addEventListener: (event: string, listener: () => void) => void; close: () => void }

type Deps = {
  openSource: () => Source
  /** Whether the page is visible and somebody is signed in. */
  isWanted: () => boolean
  retryInMs: (retries: number) => number
  /** Called each time a stream opens, because changes may have been missed before that. */
  onOpen: () => void
  onChange: () => void
  /** Called when the stream could not be opened, or the server ended it together with the session. */
  onRefused: () => void
}

// If connecting takes longer than this, it is aborted and retried.
const CONNECT_MS = 10_000
const SILENCE_MS = PING_MS + PATIENCE_MS

/** Keeps a stream of changes open while `isWanted`. Reopens a lost stream after a delay that grows with each failure. */
export function createLiveStream(deps: Deps) {
  const isOpen = createSignal(false)
  let source: Source | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let retries = 0
  let openedAt = Number.NaN

  function close() {
    clearTimeout(timer)
    source?.close()
    source = undefined
    isOpen.set(false)
  }

  function open() {
    close()
    const own = deps.openSource()
    source = own
    const on = (event: string, listener: () => void) =>
      own.addEventListener(event, () => own === source && listener())
    expectWithin(CONNECT_MS)
    on('open', () => {
      expectWithin(SILENCE_MS)
      openedAt = Date.now()
      isOpen.set(true)
      deps.onOpen()
    })
    on('error', lose)
    on(streamEvents.ping, () => expectWithin(SILENCE_MS))
    on(streamEvents.change, () => {
      expectWithin(SILENCE_MS)
      deps.onChange()
    })
    on(streamEvents.end, () => {
      deps.onRefused()
      lose()
    })
  }

  function expectWithin(ms: number) {
    clearTimeout(timer)
    timer = setTimeout(lose, ms)
  }

  function lose() {
    if (!isOpen.get()) deps.onRefused()
    // A stream that ends soon after opening also counts as a failure, so it doesn't reset the delay.
    else if (Date.now() - openedAt >= SILENCE_MS) retries = 0
    close()
    if (deps.isWanted()) timer = setTimeout(open, deps.retryInMs(retries++))
  }

  function renew() {
    retries = 0
    if (deps.isWanted()) open()
  }

  return {
    isOpen,
    close,
    /** Call this when `isWanted` may have changed. */
    check() {
      if (!deps.isWanted()) close()
      else if (!source) renew()
    },
    /** Call this when the network has changed: the stream may be dead, although no event has said so. */
    renew,
  }
}
