import { expect, test, vi } from 'vitest'
import { useInboxPage } from '../../../e2e/inbox/hooks.tsx'
import { pushQuery, queryClient } from '../data/queries.ts'

const { use, ended, sent, respondWith } = useInboxPage()
const { onTappedMessage, usePush, whyNoPush } = await import('./push.ts')

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

/** A browser with a subscription. */
function stubPush(permission: string) {
  const subscription = { unsubscribe: vi.fn(), toJSON: () => ({ endpoint: 'https://push.example/1' }) }
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: vi.fn(async () => subscription),
  }
  const registration = { pushManager }
  const serviceWorker = Object.assign(new EventTarget(), {
    ready: registration,
    register: async () => registration,
    getRegistration: async () => registration,
  })
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('Notification', { requestPermission: async () => permission })
  return { serviceWorker, subscription, pushManager }
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
    publicKey: 'k',
    endpoint: 'https://push.example/1',
    showsContent: false,
  })
  const { isOn, showsContent, turnOn } = use(usePush)
  expect([isOn, showsContent]).toEqual([true, false])
  pushManager.subscribe.mockRejectedValueOnce(new Error('raw'))
  turnOn.mutate(true)
  respondWith([200, {}])
  turnOn.mutate(true)
  await ended()
  stubPush('default')
  turnOn.mutate(true)
  await ended()

  expect(sent().map(({ body }) => body)).toEqual([{ endpoint: 'https://push.example/1', showsContent: true }])
  expect(subscription.unsubscribe).not.toHaveBeenCalled()
})

test('a subscription from before the database was replaced ends before there is a new one', async () => {
  const { subscription, pushManager } = stubPush('granted')
  pushManager.subscribe.mockImplementationOnce(async () => {
    expect(subscription.unsubscribe).toHaveBeenCalledOnce()
    return subscription
  })
  respondWith([200, {}])
  queryClient.setQueryData(pushQuery.queryKey, { publicKey: 'k', endpoint: null, showsContent: true })
  const { isOn, turnOn } = use(usePush)
  expect(isOn).toBe(false)
  turnOn.mutate(true)
  await ended()

  expect(sent()).toHaveLength(1)
})

test('a tapped message opens only pages of the inbox', () => {
  const { serviceWorker } = stubPush('granted')
  const opened: string[] = []
  onTappedMessage((url) => opened.push(url))
  for (const open of ['/inbox/Q-1', 'https://evil.example/', undefined])
    serviceWorker.dispatchEvent(Object.assign(new Event('message'), { data: { open } }))

  expect(opened).toEqual(['/inbox/Q-1'])
})
