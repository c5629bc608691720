import { useSyncExternalStore } from 'react'
import { apiPath } from '#shared/inbox/api.ts'
import { ApiError } from './api.ts'
import { createLiveStream } from './live-stream.ts'
import { keys, queryClient, retryInMs } from './query-client.ts'
import { refresh } from './refresh-page.ts'
import { createSignal } from './signal.ts'
import { isSavingSlowly } from './unconfirmed.ts'

/**
 * `live`: the page is at most a second out of date. `saving`: a change has been unconfirmed for over a second.
 * `connecting`: the page may be out of date. `offline`: the page may be out of date, because there is no network.
 */
export type LiveState = 'live' | 'saving' | 'connecting' | 'offline'

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

export function readLiveState(): LiveState {
  if (!stream.isOpen.get()) return isOnline.get() ? 'connecting' : 'offline'
  if (refresh.isBehind.get()) return 'connecting'
  return isSavingSlowly.get() ? 'saving' : 'live'
}

/** Keeps the stream open while the page is visible and somebody is signed in. */
function start(): () => void {
  const ending = new AbortController()
  const on = (target: EventTarget, names: string[], listener: () => void) => {
    for (const name of names) target.addEventListener(name, listener, { signal: ending.signal })
  }
  on(document, ['visibilitychange'], stream.check)
  on(window, ['pageshow'], stream.check)
  on(window, ['online', 'offline'], () => {
    isOnline.set(navigator.onLine)
    stream.renew()
  })
  let wasSignedOut = isSignedOut()
  const leave = queryClient.getQueryCache().subscribe(() => {
    if (wasSignedOut === isSignedOut()) return
    wasSignedOut = !wasSignedOut
    stream.check()
  })
  isOnline.set(navigator.onLine)
  stream.check()
  return () => {
    ending.abort()
    leave()
    stream.close()
  }
}

let users = 0
let stop = () => {}

/** Opens the stream for the first listener, and closes it when the last one leaves. */
export function subscribeLive(listener: () => void) {
  if (users++ === 0) stop = start()
  const signals = [stream.isOpen, isOnline, isSavingSlowly, refresh.isBehind]
  const leave = signals.map((signal) => signal.subscribe(listener))
  return () => {
    for (const end of leave) end()
    if (--users === 0) stop()
  }
}

/** Says how current the page is. Keeps the stream of changes open while the component is mounted and the page is visible. */
export const useLive = (): LiveState => useSyncExternalStore(subscribeLive, readLiveState, () => 'connecting')
