import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { deliverToFiles } from '../proof/testing/file-delivery.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { findWayOut, requeueWritten } from './way-out.ts'

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
const requeueAll = () => requeueWritten(site.db, () => site.clock.now, new AbortController().signal)
const wayOut = (url: string | undefined) => findWayOut(site.db, url)

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

test('what was sent may be erased: the note stays', async () => {
  await submit('1')
  await sendOne({ smtpCode: 250, response: '250 ok' })
  await wayOut(undefined)
  await site.db.deleteFrom('leads').execute()

  expect(await wayOut(undefined)).toBe('held')
})

test('notices that only became files are queued, each once, and no others', async () => {
  await submit('sent')
  await sendOne({ smtpCode: 250, response: '250 ok' })
  await submit('sent, with a reply that has no code')
  await sendOne({ smtpCode: null, response: '2500 ok' })
  await submit('only written')
  await deliverToFiles(site)

  expect(await requeueAll()).toBe(1)
  expect(await states()).toEqual(['sent', 'sent', 'queued'])
  await sendOne({ smtpCode: 250, response: '250 ok' })
  expect(await requeueAll()).toBe(0)
})

test('as many as there are, in batches', async () => {
  await submit('only written')
  await deliverToFiles(site)
  const [email] = await site.db.selectFrom('outbox').selectAll().execute()
  const { id: _id, ...copy } = email ?? ({} as never)
  for (let index = 0; index < 1001; index++) {
    const { id } = await site.db.insertInto('outbox').values(copy).returning('id').executeTakeFirstOrThrow()
    await site.db
      .insertInto('outbox_attempts')
      .values({ outbox_id: id, at: '2026-03-02', outcome: 'sent', response: 'written to x.eml' })
      .execute()
  }

  expect(await requeueAll()).toBe(1002)
})
