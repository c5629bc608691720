import { expect, test } from 'vitest'
import { pushState } from '#shared/inbox/push.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { signIn } from '../proof/testing/owner-browser.ts'

const site = useTestApp({ mailTo: ['owner@agency.example', 'ben@agency.example'] })
const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
const endpoint = 'https://push.example/1'

test('a browser turns messages on for its session, changes them, and turns them off, but not those of others', async () => {
  const [inbox, other] = [await signIn(site), await signIn(site)]
  await other.put('/push', { endpoint: `${endpoint}/other`, keys, showsContent: true })
  const state = async () => pushState.parse((await inbox.get('/push')).body)
  const { publicKey } = await state()
  expect(await state()).toEqual({ publicKey, endpoint: null, showsContent: true })
  expect(Buffer.from(publicKey, 'base64url')).toHaveLength(65)
  for (const showsContent of [true, false]) {
    expect((await inbox.put('/push', { endpoint, keys, showsContent })).status).toBe(201)
    expect(await state()).toEqual({ publicKey, endpoint, showsContent })
  }
  expect((await inbox.delete('/push')).status).toBe(204)
  expect(await state()).toMatchObject({ endpoint: null })
  expect((await other.get('/push')).body).toMatchObject({ endpoint: `${endpoint}/other` })
})

test('if another session has the same subscription, it moves to the new one', async () => {
  const [first, second] = [await signIn(site), await signIn(site)]
  for (const inbox of [first, second]) await inbox.put('/push', { endpoint, keys, showsContent: true })
  expect((await first.get('/push')).body.endpoint).toBeNull()
  expect((await second.get('/push')).body.endpoint).toBe(endpoint)
  await first.put('/push', { endpoint: `${endpoint}/first`, keys, showsContent: true })
  expect((await first.put('/push/renewed', { endpoint, keys })).status).toBe(204)
  expect((await second.get('/push')).body.endpoint).toBeNull()
})

test('a browser renews its subscription without a fresh sign-in, but turns nothing on with it', async () => {
  const [inbox, other] = [await signIn(site), await signIn(site)]
  await inbox.put('/push', { endpoint, keys, showsContent: false })
  site.advanceClock(11 * 60_000)
  const renewed = { endpoint: `${endpoint}/renewed`, keys, showsContent: true }
  expect((await inbox.put('/push', renewed)).status).toBe(403)
  await other.put('/push/renewed', renewed)
  expect((await other.get('/push')).body.endpoint).toBeNull()
  expect((await inbox.put('/push/renewed', renewed)).status).toBe(204)

  expect((await inbox.get('/push')).body).toMatchObject({ endpoint: renewed.endpoint, showsContent: false })
  expect((await inbox.put('/push/renewed', { ...renewed, endpoint: 'http://push.example/1' })).status).toBe(
    400,
  )
})

test('the address of a subscription can be as long as those of browsers are', async () => {
  const inbox = await signIn(site)
  const subscription = { endpoint: `${endpoint}${'x'.repeat(900)}`, keys, showsContent: true }
  expect((await inbox.put('/push', subscription)).status).toBe(201)
})

test('of requests at once, none fails', async () => {
  const inbox = await signIn(site)
  const turnOn = (number: number) =>
    inbox.put('/push', { endpoint: `https://push.example/${number % 2}`, keys, showsContent: true })
  const statuses = (await Promise.all([1, 2, 3, 4].map(turnOn))).map(({ status }) => status)
  expect(statuses).toEqual([201, 201, 201, 201])
})

test('an owner who signs in again in the same browser keeps getting messages; another owner there does not', async () => {
  const [inbox, phone] = [await signIn(site), await signIn(site)]
  await inbox.put('/push', { endpoint, keys, showsContent: false })
  await phone.put('/push', { endpoint: `${endpoint}/phone`, keys, showsContent: true })
  await signIn(site, inbox)
  expect((await inbox.get('/push')).body).toMatchObject({ endpoint, showsContent: false })
  expect((await phone.get('/push')).body).toMatchObject({ endpoint: `${endpoint}/phone` })
  await signIn(site, inbox, 'ben@agency.example')
  expect((await inbox.get('/push')).body.endpoint).toBeNull()
})

testOnce.each([
  { endpoint: 'https://push.example:8443/1' },
  { endpoint: 'https://[2a00:1450:4001:80b::200a]/1' },
  { endpoint: 'http://push.example/1' },
  { endpoint: 'https://user@push.example/1' },
  { endpoint: 'https://push.example' },
  { endpoint: `https://push.example/${'x'.repeat(1_000)}` },
  { endpoint: 'file:///etc/passwd' },
  { keys: { ...keys, p256dh: 'x' } },
  { keys: { ...keys, auth: '"' } },
  { keys: undefined },
])('a subscription that is not valid (%#) is refused', async (changes) => {
  const inbox = await signIn(site)
  expect((await inbox.put('/push', { endpoint, keys, showsContent: true, ...changes })).status).toBe(400)
})
