/*
 * The service worker of the inbox: shows push messages, and opens the lead of one that
 * is tapped. It stores nothing, and answers no requests, so pages load as without it.
 */

/** What the server sends: see server/push/send-push.ts. */
type News = { title: string; body: string; url: string; tag: string }
type Page = { url: string; focus(): Promise<unknown>; postMessage(message: unknown): void }

// TypeScript's types for workers exclude those for pages, so this names what is used.
type WorkerEvent = Event & { waitUntil(work: Promise<unknown>): void }
type PushEvent = WorkerEvent & { data: { json(): News } | null }
type ClickEvent = WorkerEvent & { notification: { data: string; close(): void } }
type RenewalEvent = WorkerEvent & { newSubscription?: PushSubscription | null }
type Events = {
  push: PushEvent
  notificationclick: ClickEvent
  message: { source: Page }
  pushsubscriptionchange: RenewalEvent
}
declare const self: {
  registration: ServiceWorkerRegistration
  clients: {
    matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<Page[]>
    openWindow(url: string): Promise<unknown>
  }
  addEventListener<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): void
}

self.addEventListener('push', (event) => {
  const news = event.data?.json()
  if (!news) return
  const { title, body, url, tag } = news
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: url, icon: '/icon-192.png' }))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data))
})

// An iPhone opens a closed inbox at its list, whatever the address, so the page asks what was
// tapped. Waiting keeps this worker alive until then.
const WAIT_MS = 10_000
let tapped = ''

/** Shows a lead in an open inbox, which keeps what is typed there, or else in a new window. */
async function open(url: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const inbox = pages.find((page) => new URL(page.url).pathname.startsWith('/inbox'))
  if (inbox) {
    inbox.postMessage({ open: url })
    return void (await inbox.focus())
  }
  tapped = url
  await self.clients.openWindow(url)
  await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
  tapped = ''
}

self.addEventListener('message', ({ source }) => {
  if (tapped) source.postMessage({ open: tapped })
  tapped = ''
})

self.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(renew(event)))

/** Tells the server of a new subscription. Some browsers only say that the old one has ended. */
async function renew({ newSubscription }: RenewalEvent): Promise<void> {
  const { publicKey, endpoint } = await (await fetch('/api/push')).json()
  // Messages are off, or nobody is signed in.
  if (!endpoint) return
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const subscription = newSubscription ?? (await self.registration.pushManager.subscribe(options))
  const headers = { 'Content-Type': 'application/json' }
  await fetch('/api/push/renewed', { method: 'PUT', headers, body: JSON.stringify(subscription) })
}
