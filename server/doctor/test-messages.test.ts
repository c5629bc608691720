import { afterEach, beforeEach, expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { openReceiver, type Receiver, webhookSecret } from '../proof/testing/receiver.ts'
import { checkQueue } from './queue.ts'
import { sendTestEvent } from './test-messages.ts'

const site = useTestApp({ webhookHost: 'crm.example' })
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

test('leads that wait for the webhook are reported, with a command that posts them again', async () => {
  const check = async () =>
    (await checkQueue({ db: site.db, now: site.clock.now, command: (words) => `npm run ${words}` })).filter(
      ({ seen }) => seen.includes('WEBHOOK'),
    )
  await site.submit()
  expect(await check()).toEqual([])

  site.advanceClock(16 * 60_000)
  expect(await check()).toMatchObject([
    { state: 'problem', seen: expect.stringMatching(/^Leads that wait for LEAD_WEBHOOK_URL: 1\./) },
  ])
  await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
  expect(await check()).toMatchObject([{ advice: expect.stringContaining('npm run leads resend --failed') }])
})
