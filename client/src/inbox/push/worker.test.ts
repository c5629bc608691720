import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const subscribe = vi.fn()
const worker = Object.assign(new EventTarget(), {
  registration: { showNotification: vi.fn(), pushManager: { subscribe } },
  clients: { matchAll: vi.fn(), openWindow: vi.fn() },
})
vi.stubGlobal('self', worker)
await import('./worker.ts')
beforeEach(() => void vi.useFakeTimers())
afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** The worker gets an event; then, time passes. */
async function dispatch(name: string, event: object, passesMs = 60_000) {
  worker.dispatchEvent(Object.assign(new Event(name), event, { waitUntil() {} }))
  await vi.advanceTimersByTimeAsync(passesMs)
}

test('a message replaces an older one about the same request; one without content shows nothing', async () => {
  const news = { title: 'Ada', body: 'Hello!', url: '/inbox/Q-1', tag: 'Q-1' }
  await dispatch('push', { data: { json: () => news } })
  await dispatch('push', { data: null })

  const shown = { body: 'Hello!', tag: 'Q-1', data: '/inbox/Q-1', icon: '/icon-192.png' }
  expect(worker.registration.showNotification.mock.calls).toEqual([['Ada', shown]])
})

const page = (path: string) => ({
  url: `https://agency.example${path}`,
  focus: vi.fn(),
  postMessage: vi.fn(),
})

test('a message that is tapped opens its request in the open inbox, or else in a new window', async () => {
  const home = page('/')
  const inbox = page('/inbox/figures')
  const notification = { data: '/inbox/Q-1', close: vi.fn() }
  worker.clients.matchAll.mockResolvedValueOnce([home, inbox])
  await dispatch('notificationclick', { notification })
  expect(inbox.postMessage).toHaveBeenCalledExactlyOnceWith({ open: '/inbox/Q-1' })
  expect(inbox.focus).toHaveBeenCalledOnce()
  expect(worker.clients.openWindow).not.toHaveBeenCalled()

  worker.clients.matchAll.mockResolvedValueOnce([home])
  await dispatch('notificationclick', { notification })
  expect(worker.clients.openWindow).toHaveBeenCalledExactlyOnceWith('/inbox/Q-1')
  expect(home.focus).not.toHaveBeenCalled()
  expect(notification.close).toHaveBeenCalledTimes(2)
})

test('an inbox that opens after a tap asks which message it was, once, and not much later', async () => {
  const notification = { data: '/inbox/Q-1', close: vi.fn() }
  worker.clients.matchAll.mockResolvedValue([])
  const [first, second, late] = [page('/inbox'), page('/inbox'), page('/inbox')]
  await dispatch('notificationclick', { notification }, 1_000)
  await dispatch('message', { source: first }, 1_000)
  await dispatch('message', { source: second })
  await dispatch('notificationclick', { notification })
  await dispatch('message', { source: late })

  expect(first.postMessage).toHaveBeenCalledExactlyOnceWith({ open: '/inbox/Q-1' })
  expect(second.postMessage).not.toHaveBeenCalled()
  expect(late.postMessage).not.toHaveBeenCalled()
})

const subscriptionOf = (endpoint: string) => ({ toJSON: () => ({ endpoint, keys: {} }) })

test.each([
  ['names the new one', { newSubscription: subscriptionOf('new') }, 'old', 'new'],
  ['only says that the old one has ended', {}, 'old', 'made'],
  ['says so while messages are off', {}, null, undefined],
])('if the browser renews its subscription, and %s, the server is told', async (...given) => {
  const [_what, event, known, told] = given
  subscribe.mockResolvedValue(subscriptionOf('made'))
  const state = { publicKey: 'k', endpoint: known }
  const fetch = vi.fn(async (_path: string, _options?: RequestInit) => ({ json: async () => state }))
  vi.stubGlobal('fetch', fetch)
  await dispatch('pushsubscriptionchange', event)

  const [, put] = fetch.mock.calls
  expect(put && [put[0], JSON.parse(String(put[1]?.body))]).toEqual(
    told && ['/api/push/renewed', { endpoint: told, keys: {} }],
  )
})
