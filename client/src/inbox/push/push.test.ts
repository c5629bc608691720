import { expect, test, vi } from 'vitest'
import { useInboxPage } from '../../../e2e/inbox/hooks.tsx'
import { queryClient } from '../data/queries.ts'

const { use, ended, sent, respondWith } = useInboxPage()
const { checkSubscription, onTappedMessage, pushQuery, usePush, whyNoPush } = await import('./push.ts')

test.each([
  ['iPhone', 5, /home screen/],
  ['Macintosh', 5, /home screen/],
  ['Macintosh', 0, 'This browser cannot show messages.'],
  ['Linux', 5, 'This browser cannot show messages.'],
])(
  'on %s with %i touch points, a browser without messages says what would help',
  (userAgent, points, why) => {
    vi.stubGlobal('navigator', { userAgent, maxTouchPoints: points })

    expect(whyNoPush()).toMatch(why)
  },
)

const endpoint = 'https://push.example/1'
const publicKey = 'k'

/** A browser with a subscription. */
function stubPush(permission: string, hasOne = true) {
  const subscription = { endpoint, unsubscribe: vi.fn(), toJSON: () => ({ endpoint, keys: {} }) }
  const pushManager = {
    getSubscription: async () => (hasOne ? subscription : null),
    subscribe: vi.fn(async () => subscription),
  }
  const registration = { pushManager, active: { postMessage: vi.fn() } }
  const serviceWorker = Object.assign(new EventTarget(), {
    ready: registration,
    register: async () => registration,
    getRegistration: async () => registration,
  })
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('Notification', { requestPermission: async () => permission })
  return { serviceWorker, subscription, pushManager, registration }
}

test('turning messages off ends the subscription of the device, on the server first', async () => {
  const { subscription } = stubPush('granted')
  const { turnOff } = use(usePush)
  turnOff.mutate()
  await ended()
  expect(subscription.unsubscribe).not.toHaveBeenCalled()

  respondWith([200, {}])
  turnOff.mutate()
  await ended()
  expect(sent().at(-1)).toMatchObject({ path: '/api/push', method: 'DELETE' })
  expect(subscription.unsubscribe).toHaveBeenCalledOnce()
})

test('turning messages on says why it failed, and keeps a subscription that is known', async () => {
  const { subscription, pushManager } = stubPush('granted')
  queryClient.setQueryData(pushQuery.queryKey, {
    publicKey,
    showsContent: false,
    isOn: true,
    hasEnded: false,
  })
  const { state, turnOn } = use(usePush)
  expect(state).toMatchObject({ isOn: true, showsContent: false })
  pushManager.subscribe.mockRejectedValueOnce(new Error('raw'))
  turnOn.mutate(true)
  respondWith([200, {}])
  turnOn.mutate(true)
  await ended()
  stubPush('default')
  turnOn.mutate(true)
  await ended()

  const puts = sent().filter(({ method }) => method === 'PUT')
  expect(puts.map(({ body }) => body)).toEqual([{ endpoint, keys: {}, showsContent: true }])
  expect(subscription.unsubscribe).not.toHaveBeenCalled()
})

test('a subscription from before the database was replaced ends before there is a new one', async () => {
  const { subscription, pushManager } = stubPush('granted')
  pushManager.subscribe.mockImplementationOnce(async () => {
    expect(subscription.unsubscribe).toHaveBeenCalledOnce()
    return subscription
  })
  respondWith([200, {}])
  queryClient.setQueryData(pushQuery.queryKey, { publicKey, showsContent: true, isOn: false, hasEnded: true })
  const { turnOn } = use(usePush)
  turnOn.mutate(true)
  await ended()

  expect(sent()).toHaveLength(1)
})

const on = { isOn: true, hasEnded: false }
const off = { isOn: false, hasEnded: false }
const hasEnded = { isOn: false, hasEnded: true }

test.each([
  ['knows this subscription', endpoint, true, on],
  ['knows none, and there is none', null, false, off],
  ['knows one that the browser has dropped', endpoint, false, hasEnded],
  ['has deleted this one', null, true, hasEnded],
])('if the server %s, Access says whether messages are on, off or have stopped', async (...given) => {
  const [_what, known, hasOne, expected] = given
  stubPush('granted', hasOne)
  respondWith([200, { publicKey, endpoint: known, showsContent: true }])
  const found = queryClient.fetchQuery(pushQuery)
  await ended()

  expect(await found).toMatchObject(expected)
  expect(sent()).toHaveLength(1)
})

test('an inbox that opens tells the server of a renewed subscription', async () => {
  stubPush('granted')
  respondWith([200, { publicKey, endpoint: 'https://push.example/0', showsContent: false }], [204, {}])
  void checkSubscription()
  await ended()

  expect(queryClient.getQueryData(pushQuery.queryKey)).toMatchObject({ ...on, showsContent: false })
  expect(sent()[1]).toEqual({ path: '/api/push/renewed', method: 'PUT', body: { endpoint, keys: {} } })
})

test.each([
  [{ brave: {} }, /In Brave’s .*Use Google services for push messaging/],
  [{ userAgent: 'Android' }, /without Google services/],
  [{}, /another browser/],
])('if the browser cannot subscribe, a sentence says what helps: %j', async (browser, why) => {
  const { pushManager } = stubPush('granted')
  Object.assign(navigator, browser)
  pushManager.subscribe.mockRejectedValueOnce(new Error('push service not available'))
  const { turnOn } = use(usePush)
  const failed = turnOn.mutateAsync(true).catch(({ message }) => message)
  await ended()

  expect(await failed).toMatch(why)
})

test('an inbox that opens at its list asks which message was tapped', async () => {
  const { registration } = stubPush('granted')
  for (const pathname of ['/inbox/Q-1', '/inbox']) {
    vi.stubGlobal('location', { pathname })
    onTappedMessage(() => {})
    await ended()
  }

  expect(registration.active.postMessage).toHaveBeenCalledOnce()
})

test('a tapped message opens only pages of the inbox', () => {
  const { serviceWorker } = stubPush('granted')
  const opened: string[] = []
  onTappedMessage((url) => opened.push(url))
  for (const open of ['/inbox/Q-1', 'https://evil.example/', undefined])
    serviceWorker.dispatchEvent(Object.assign(new Event('message'), { data: { open } }))

  expect(opened).toEqual(['/inbox/Q-1'])
})
