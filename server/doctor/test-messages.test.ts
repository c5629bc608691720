import { afterEach, beforeEach, expect, test } from 'vitest'
import { openReceiver, type Receiver, webhookSecret } from '../proof/testing/receiver.ts'
import { sendTestEvent } from './test-messages.ts'

let receiver: Receiver
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

const send = (url = receiver.url) => sendTestEvent({ url, secret: webhookSecret }, new Date())

test('the webhook gets a signed test that is not a lead', async () => {
  expect(await send()).toMatchObject({ state: 'ok', seen: expect.stringContaining('(204 No Content)') })
  expect(receiver.requests).toMatchObject([{ isSigned: true, reference: undefined }])
})

test('a receiver that is down or rejects the test is a problem, and nothing secret is shown', async () => {
  receiver.respondWith(401)
  const rejected = await send()
  await receiver.close()
  const down = await send()

  expect(rejected).toMatchObject({ state: 'problem', seen: expect.stringContaining('401 Unauthorized') })
  expect(down).toMatchObject({ state: 'problem', seen: expect.stringContaining('ECONNREFUSED') })
  const shown = JSON.stringify([rejected, down])
  for (const secret of ['token', webhookSecret.slice(6)]) expect(shown).not.toContain(secret)
})
