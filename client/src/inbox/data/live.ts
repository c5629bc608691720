import { focusManager, onlineManager, useIsMutating, useMutation } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { apiPath, PATIENCE_MS, PING_MS, streamEvents } from '#shared/inbox/api.ts'
import { hasFailed, keys, queryClient, refresh, retryInMs } from './queries.ts'
import { useDelayed } from './timers.ts'

// If connecting takes longer than this, it is aborted and retried.
const CONNECT_MS = 10_000
const SILENCE_MS = PING_MS + PATIENCE_MS

/**
 * Keeps a stream of changes open until the returned function is called.
 * Reopens a lost stream after a delay that grows with each failure. A
 * stream is lost if it is silent for longer than its heartbeat. `onNews`: is
 * called after changes, also after those that may have been missed.
 */
export function keepStreamOpen(onState: (state: 'open' | 'lost') => void, onNews: () => void): () => void {
  let source: EventSource
  let timer: ReturnType<typeof setTimeout>
  let failures = 0
  let openedAt = Number.NaN

  function open() {
    source = new EventSource(`${apiPath}/events`)
    expectWithin(CONNECT_MS)
    source.addEventListener('open', () => {
      openedAt = Date.now()
      expectWithin(SILENCE_MS)
      onState('open')
      onNews()
    })
    source.addEventListener('error', lose)
    source.addEventListener(streamEvents.ping, () => expectWithin(SILENCE_MS))
    source.addEventListener(streamEvents.change, () => {
      expectWithin(SILENCE_MS)
      onNews()
    })
    source.addEventListener(streamEvents.end, () => {
      void queryClient.invalidateQueries({ queryKey: keys.session }, { cancelRefetch: false })
      lose()
    })
  }

  function expectWithin(ms: number) {
    clearTimeout(timer)
    timer = setTimeout(lose, ms)
  }

  function lose() {
    close()
    onState('lost')
    // A stream that ends soon after opening also counts as a failure,
    // so it doesn't reset the delay.
    if (Date.now() - openedAt >= SILENCE_MS) failures = 0
    openedAt = Number.NaN
    timer = setTimeout(open, retryInMs(failures++))
  }

  function close() {
    clearTimeout(timer)
    source.close()
  }

  open()
  return close
}

/**
 * `connecting`: the page has just been opened or shown. `live`: it is at most a few
 * seconds out of date. `saving`: a change has been unconfirmed for over a second. `lost`:
 * the page may be out of date. `offline`: it may be, because there is no network.
 */
export type LiveState = 'connecting' | 'live' | 'saving' | 'lost' | 'offline'

// A first connection, or one after a short loss, takes less than this. A warning would only flash.
const SHORT_LOSS_MS = 3_000
const SLOW_MS = 1_000

/**
 * While the page is visible and somebody is signed in, fetches again
 * what has changed. Says how current the page is.
 */
export function useLive(isSignedIn: boolean): LiveState {
  const [stream, setStream] = useState<'new' | 'open' | 'lost'>('new')
  const isOnline = useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline())
  const isVisible = usePageIsVisible()
  const isBehind = useSyncExternalStore(onQueryChange, hasFailed)
  const fetchNews = useFetchNews()
  const isWanted = isSignedIn && isVisible
  // Runs again after a change of network: then the stream may be
  // dead, although no event has said so.
  useEffect(() => {
    if (!isWanted) return
    const close = keepStreamOpen(setStream, fetchNews)
    return () => {
      close()
      setStream('new')
    }
  }, [isWanted, isOnline])
  const isLosing = isWanted && (stream !== 'open' || isBehind)
  const isLost = useDelayed(isLosing, SHORT_LOSS_MS, false) && isLosing
  const isSaving = useIsMutating({ mutationKey: keys.change }) > 0
  const isSavingSlowly = useDelayed(isSaving, SLOW_MS) && isSaving
  if (stream !== 'open' && !isOnline) return 'offline'
  if (isLost) return 'lost'
  if (stream === 'new') return 'connecting'
  return isSavingSlowly ? 'saving' : 'live'
}

/** Whether the owner can see the page: not while its tab is in the background. */
export const usePageIsVisible = (): boolean =>
  useSyncExternalStore(focusManager.subscribe, isPageVisible, isPageVisible)

const isPageVisible = () => focusManager.isFocused()

/**
 * Returns a function that fetches everything again, one round at a time: if each change began
 * another round at once, a slow network would never complete one.
 */
function useFetchNews(): () => void {
  const [hasNews, setHasNews] = useState(false)
  const { mutate, isPending } = useMutation({ mutationFn: refresh })
  useEffect(() => {
    if (!hasNews || isPending) return
    setHasNews(false)
    mutate()
  }, [hasNews, isPending, mutate])
  return () => setHasNews(true)
}

const onQueryChange = (listener: () => void) => queryClient.getQueryCache().subscribe(listener)
