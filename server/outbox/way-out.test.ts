import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp } from '../testing/build-test-app.ts'
import { deliverToFiles } from '../testing/file-delivery.ts'
import { sampleRequest } from '../testing/sample-request.ts'
import { findWayOut } from './way-out.ts'

const smtpUrl = 'smtp://mail.example.com'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const submit = (message: string) =>
  site.submitLead(sampleRequest({ message }), { client: 'c', idempotencyKey: null })
const states = async () =>
  (await site.db.selectFrom('outbox').select('state').orderBy('id').execute()).map(({ state }) => state)
const wayOut = (url: string | undefined) => findWayOut(site.db, url, site.clock.now)

async function sendOne(reply: { smtpCode: number | null; response: string }) {
  const job = await site.outbox.claimNext(site.clock.now)
  if (!job) throw new Error('nothing to send')
  await site.outbox.recordSent(job, site.clock.now, reply)
}

test('emails go into files until a mail server is set; from then on a missing one is a slip', async () => {
  expect(await wayOut(undefined)).toBe('files')
  expect(await wayOut(smtpUrl)).toBe('smtp')
  expect(await wayOut(undefined)).toBe('held')
  expect(await wayOut(smtpUrl)).toBe('smtp')
})

test('an installation that has sent by SMTP before it kept a note of that is held too', async () => {
  await submit('1')
  await sendOne({ smtpCode: 250, response: '250 ok' })

  expect(await wayOut(undefined)).toBe('held')
})

test('notices that only became files are sent when a mail server is set, once, and no others', async () => {
  await submit('sent long ago')
  await sendOne({ smtpCode: 250, response: '250 ok' })
  // By the first edition, in a start without SMTP_URL.
  await submit('only written')
  await deliverToFiles(site)

  await wayOut(smtpUrl)
  expect(await states()).toEqual(['sent', 'queued'])
  await sendOne({ smtpCode: 250, response: '250 ok' })
  await wayOut(smtpUrl)

  expect(await states()).toEqual(['sent', 'sent'])
})
