import { expect, test } from 'vitest'
import { pushState } from '#shared/inbox/push.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { signIn } from '../proof/testing/owner-browser.ts'

const site = useTestApp()
const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
const endpoint = 'https://push.example/1'

test('a browser turns messages on for its session, changes them, and turns them off', async () => {
  const inbox = await signIn(site)
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
})

test('if another session has the same subscription, it moves to the new one', async () => {
  const [first, second] = [await signIn(site), await signIn(site)]
  for (const inbox of [first, second]) await inbox.put('/push', { endpoint, keys, showsContent: true })
  expect((await first.get('/push')).body.endpoint).toBeNull()
  expect((await second.get('/push')).body.endpoint).toBe(endpoint)
})

test.each([
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
