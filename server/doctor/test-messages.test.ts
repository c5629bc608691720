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
