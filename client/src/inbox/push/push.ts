import { useMutation, useQuery } from '@tanstack/react-query'
import { inboxPath, workerPath } from '#shared/inbox/api.ts'
import { anything, callApi } from '../data/api.ts'
import { pushQuery, queryClient } from '../data/queries.ts'
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

const current = async () =>
  (await navigator.serviceWorker?.getRegistration(inboxPath))?.pushManager.getSubscription()

/** Whether this browser gets messages, and functions that turn them on and off. */
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
      // One from before the database was replaced has another key,
      // and the browser would refuse the new one.
      if (!data?.endpoint) await (await pushManager.getSubscription())?.unsubscribe()
      const options = { userVisibleOnly: true, applicationServerKey: data?.publicKey ?? '' }
      const subscription = await pushManager.subscribe(options).catch((cause: unknown) => {
        throw new Error('This browser could not turn messages on. Try again later.', { cause })
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
  return {
    isOn: data?.endpoint !== undefined && data.endpoint !== null,
    isLoaded: data !== undefined,
    showsContent: data?.showsContent ?? true,
    turnOn,
    turnOff,
    error: turnOn.error ?? turnOff.error,
  }
}

/** Calls `open` with the address of a lead when its message is tapped while the inbox is open. */
export function onTappedMessage(open: (url: string) => void): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }) => {
    const url: unknown = Object(data).open
    if (typeof url === 'string' && url.startsWith(`${inboxPath}/`)) open(url)
  })
}
