import { afterEach, beforeEach, expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { openReceiver, type Receiver, webhookSecret } from '../proof/testing/receiver.ts'
import { checkContents } from './contents.ts'
import { checkLeadWebhook } from './lead-webhook.ts'

const site = useTestApp({ webhookHost: 'crm.example' })
let receiver: Receiver
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

const check = async (shouldSend = false, url = receiver.url) =>
  [await checkLeadWebhook({ url, secret: webhookSecret }, new Date(), shouldSend)].flat()
const postsFindings = async (hasWebhook: boolean) => {
  const findings = await checkContents(site.db, { hasWebhook }, site.clock.now)
  return findings.filter((finding) => finding.check === 'waiting posts')
}

test('doctor connects without posting; doctor --send posts a signed test that is not a lead', async () => {
  expect(await check()).toMatchObject([{ state: 'ok', seen: expect.stringContaining(receiver.host) }])
  expect(receiver.requests).toEqual([])

  expect(await check(true)).toMatchObject([
    { state: 'ok', seen: expect.stringContaining('(204 No Content)') },
  ])

  expect(receiver.requests).toMatchObject([{ isSigned: true, reference: undefined }])
  expect(await checkLeadWebhook(undefined, new Date())).toMatchObject({ state: 'ok' })
})

test('a receiver that is down or rejects the test is a problem, and nothing secret is shown', async () => {
  receiver.respondWith(401)
  const rejected = await check(true, receiver.url.replace('//', '//user:pass@'))
  await receiver.close()
  const down = await check()

  expect(rejected).toMatchObject([{ state: 'problem', seen: expect.stringContaining('401 Unauthorized') }])
  expect(down).toMatchObject([{ state: 'problem', seen: expect.stringContaining('ECONNREFUSED') }])
  const shown = JSON.stringify([rejected, down])
  for (const secret of ['token', 'pass', webhookSecret.slice(6)]) expect(shown).not.toContain(secret)
})

test('leads that are waiting for the webhook are reported', async () => {
  await site.submit()
  expect(await postsFindings(true)).toEqual([])
  expect(await postsFindings(false)).toMatchObject([
    { state: 'warning', seen: '1 lead is waiting for LEAD_WEBHOOK_URL, which is not set.' },
  ])

  site.advanceClock(16 * 60_000)
  expect(await postsFindings(true)).toMatchObject([
    { state: 'problem', seen: expect.stringContaining("1 lead can't be posted to LEAD_WEBHOOK_URL.") },
  ])
  await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
  expect(await postsFindings(true)).toMatchObject([
    { advice: expect.stringContaining('leads resend --failed') },
  ])
})
