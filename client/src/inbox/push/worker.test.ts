import { afterAll, expect, test, vi } from 'vitest'

const worker = Object.assign(new EventTarget(), {
  registration: { showNotification: vi.fn() },
  clients: { matchAll: vi.fn(), openWindow: vi.fn() },
})
vi.stubGlobal('self', worker)
await import('./worker.ts')
afterAll(() => vi.unstubAllGlobals())

/** The worker gets an event, and ends its work. */
async function dispatch(name: string, event: object) {
  let work: unknown
  const waitUntil = (begun: unknown) => {
    work = begun
  }
  worker.dispatchEvent(Object.assign(new Event(name), event, { waitUntil }))
  await work
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
