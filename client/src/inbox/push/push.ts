import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { inboxPath, workerPath } from '#shared/inbox/api.ts'
import { pushState } from '#shared/inbox/push.ts'
import { anything, callApi } from '../data/api.ts'
import { queryClient, sessionQuery } from '../data/queries.ts'
import { useFresh } from '../frame/session.tsx'

/** Why this browser can't show push messages, and what would help; undefined if it can. */
export function whyNoPush(): string | undefined {
  if (!window.isSecureContext) return 'Messages need an https address.'
  if ('PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window) return undefined
  // An iPad says that it is a Mac, which has no touch screen.
  const isIos = /iPhone|iPad|Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1
  return isIos
    ? 'On an iPhone, first add this page to the home screen: tap Share, then “Add to Home Screen”. Then open it from there.'
    : 'This browser cannot show messages.'
}

// The only script address that the Content-Security-Policy lets this page make (Trusted Types).
type Policy = { createScriptURL: (url: string) => string }
const { trustedTypes } = window as { trustedTypes?: { createPolicy(name: string, policy: Policy): Policy } }
const policy = trustedTypes?.createPolicy('inbox-worker', { createScriptURL: () => workerPath })

const register = () =>
  navigator.serviceWorker.register(policy?.createScriptURL('') ?? workerPath, { scope: inboxPath })

const registered = () => navigator.serviceWorker?.getRegistration(inboxPath)
const current = async () => (await registered())?.pushManager.getSubscription()

/**
 * Whether this browser gets messages. It may renew or drop its subscription at any time, so
 * compares what the server knows with what the browser has, and tells the server of a renewed one.
 */
export const pushQuery = queryOptions({
  queryKey: ['push'],
  queryFn: async () => {
    const { endpoint, ...state } = await callApi('/push', pushState)
    const own = await current()
    const isOn = Boolean(own && endpoint)
    if (own && endpoint && own.endpoint !== endpoint)
      await callApi('/push/renewed', anything, { method: 'PUT', body: own })
    return { ...state, isOn, hasEnded: !isOn && Boolean(own || endpoint) }
  },
})

/** Call this once it is known who is signed in: the browser may have renewed its subscription. */
export async function checkSubscription(): Promise<void> {
  const isSignedIn = queryClient.getQueryData(sessionQuery.queryKey)
  if (isSignedIn && (await current())) await queryClient.prefetchQuery(pushQuery)
}

/** What helps if the browser can't subscribe. */
function whyNotSubscribed(): string {
  if ('brave' in navigator)
    return 'In Brave’s settings, under “Privacy and security”, turn on “Use Google services for push messaging”. Then restart Brave.'
  if (/Android/.test(navigator.userAgent))
    return 'Try again later. A phone without Google services cannot show messages, but the emails still come.'
  return 'This browser could not turn messages on. Try again later, or use another browser.'
}

/** Whether this browser gets messages, and mutations that turn them on and off. */
export function usePush() {
  const { data } = useQuery(pushQuery)
  const onSettled = () => void queryClient.invalidateQueries({ queryKey: pushQuery.queryKey })
  const fresh = useFresh()
  const turnOn = useMutation({
    onSettled,
    mutationFn: async (showsContent: boolean) => {
      if ((await Notification.requestPermission()) !== 'granted')
        throw new Error('The browser does not allow messages from this page. Allow them in its settings.')
      if (!(await fresh('Messages show requests outside the inbox.'))) return
      await register()
      const { pushManager } = await navigator.serviceWorker.ready
      // One that has ended is of no use. One from before the database was replaced has another key,
      // and the browser would refuse the new one.
      if (!data?.isOn) await (await pushManager.getSubscription())?.unsubscribe()
      const options = { userVisibleOnly: true, applicationServerKey: data?.publicKey ?? '' }
      const subscription = await pushManager.subscribe(options).catch((cause: unknown) => {
        throw new Error(whyNotSubscribed(), { cause })
      })
      const { endpoint, keys } = subscription.toJSON()
      await callApi('/push', anything, { method: 'PUT', body: { endpoint, keys, showsContent } })
    },
  })
  const turnOff = useMutation({
    onSettled,
    mutationFn: async () => {
      await callApi('/push', anything, { method: 'DELETE' })
      await (await current())?.unsubscribe()
    },
  })
  return { state: data, turnOn, turnOff }
}

/**
 * Calls `open` with the address of a lead when its message is tapped while the inbox is open, or if
 * that has opened the inbox: an iPhone then shows the list, and only the worker knows the address.
 */
export function onTappedMessage(open: (url: string) => void): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    const url: unknown = Object(data).open
    if (typeof url === 'string' && url.startsWith(`${inboxPath}/`)) open(url)
  })
  if (location.pathname === inboxPath)
    void registered()?.then((registration) => registration?.active?.postMessage('opened'))
}
