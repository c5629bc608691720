import { useSyncExternalStore } from 'react'
import { apiPath } from '#shared/inbox/api.ts'
import { ApiError } from './api.ts'
import { createLiveStream } from './live-stream.ts'
import { keys, queryClient, retryInMs } from './query-client.ts'
import { refresh } from './refresh-page.ts'
import { createSignal } from './signal.ts'
import { isSavingSlowly } from './unconfirmed.ts'

// A first connection, or one after a short loss, takes less than this. A warning would only flash.
const SHORT_LOSS_MS = 3_000

/**
 * `connecting`: the page has just been opened or shown, and is not up to date yet. `live`: the page is at most a few seconds
 * out of date. `saving`: a change has been unconfirmed for over a second. `lost`: the page may be out of date. `offline`: the
 * page may be out of date, because there is no network.
 */
export type LiveState = 'connecting' | 'live' | 'saving' | 'lost' | 'offline'

const isOnline = createSignal(true)
const isSignedOut = () => queryClient.getQueryData(keys.session) === null

const stream = createLiveStream({
  openSource: () => new EventSource(`${apiPath}/events`),
  isWanted: () => document.visibilityState === 'visible' && !isSignedOut(),
  retryInMs: (retries) => retryInMs(retries, new ApiError(0, '')),
  onOpen: refresh.afterGap,
  onChange: refresh.now,
  onRefused: () => void queryClient.invalidateQueries({ queryKey: keys.session }, { cancelRefetch: false }),
})

const currency = createSignal<'connecting' | 'live' | 'lost'>('connecting')
let loss: ReturnType<typeof setTimeout> | undefined

/** Updates `currency`: the page becomes `live` at once, but `lost` only after a delay. */
function updateCurrency() {
  const isCurrent = stream.isOpen.get() && !refresh.isBehind.get()
  if (isCurrent) clearLoss('live')
  else loss ??= setTimeout(currency.set, SHORT_LOSS_MS, 'lost')
}

function clearLoss(next: 'connecting' | 'live') {
  clearTimeout(loss)
  loss = undefined
  currency.set(next)
}

/** Starts afresh: after the page was hidden or signed out, what it shows may be old, but that is no loss yet. */
function restart() {
  clearLoss('connecting')
  stream.check()
  updateCurrency()
}

export function readLiveState(): LiveState {
  if (!stream.isOpen.get() && !isOnline.get()) return 'offline'
  if (currency.get() !== 'live') return currency.get()
  return isSavingSlowly.get() ? 'saving' : 'live'
}

/** Keeps the stream open while the page is visible and somebody is signed in. */
function start(): () => void {
  const ending = new AbortController()
  const on = (target: EventTarget, names: string[], listener: () => void) => {
    for (const name of names) target.addEventListener(name, listener, { signal: ending.signal })
  }
  on(document, ['visibilitychange'], restart)
  on(window, ['pageshow'], stream.check)
  on(window, ['online', 'offline'], () => {
    isOnline.set(navigator.onLine)
    stream.renew()
  })
  let wasSignedOut = isSignedOut()
  const leave = queryClient.getQueryCache().subscribe(() => {
    if (wasSignedOut === isSignedOut()) return
    wasSignedOut = !wasSignedOut
    restart()
  })
  isOnline.set(navigator.onLine)
  const unwatch = [stream.isOpen, refresh.isBehind].map((signal) => signal.subscribe(updateCurrency))
  restart()
  return () => {
    ending.abort()
    leave()
    stream.close()
    for (const end of unwatch) end()
    clearLoss('connecting')
  }
}

let users = 0
let stop = () => {}

/** Opens the stream for the first listener, and closes it when the last one leaves. */
export function subscribeLive(listener: () => void) {
  if (users++ === 0) stop = start()
  const signals = [stream.isOpen, isOnline, isSavingSlowly, currency]
  const leave = signals.map((signal) => signal.subscribe(listener))
  return () => {
    for (const end of leave) end()
    if (--users === 0) stop()
  }
}

/** Says how current the page is. Keeps the stream of changes open while the component is mounted and the page is visible. */
export const useLive = (): LiveState => useSyncExternalStore(subscribeLive, readLiveState, () => 'connecting')
