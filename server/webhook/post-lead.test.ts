import { readFileSync } from 'node:fs'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replyDueAt } from '#shared/promise-clock.ts'
import { writeNote } from '../database/notes.ts'
import { markLead } from '../leads/change/mark-lead.ts'
import { createRetention } from '../leads/erase/retention.ts'
import { leadsFor } from '../outbox/outbox-worker.ts'
import { readdress, requeueLead } from '../outbox/resend.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, erase, leadTools } from '../proof/testing/leads.ts'
import { outboxTools, speedUp } from '../proof/testing/outbox.ts'
import { hang, openReceiver, type Receiver, webhookSecret } from '../proof/testing/receiver.ts'
import { createPostLead } from './post-lead.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const host = 'crm.example:8443'
const site = useTestApp({ webhookHost: host })
const { read, suspect } = leadTools(site)
const { rows, startWorker } = outboxTools(site)

let receiver: Receiver
beforeEach(async () => {
  receiver = await openReceiver()
})
afterEach(() => receiver.close())

const [, documented = ''] = /```json\n([^`]*)```/.exec(readFileSync('server/webhook.md', 'utf8')) ?? []
/**
 * The names and types of all fields, except those of the source, of which only what is known is
 * posted.
 */
const shapeOf = (json: string) =>
  JSON.parse(json, (name, value) => {
    if (name === 'source') return {}
    return typeof value === 'object' && !Array.isArray(value) ? value : typeof value
  })

const postTo = (url = receiver.url, hasInbox = true) =>
  createPostLead({
    db: site.db,
    receiver: { url, secret: webhookSecret },
    siteUrl: 'https://agency.example',
    hasInbox,
    now: () => site.clock.now,
  })
const posts = async () => (await rows()).filter(({ kind }) => kind === 'webhook')
const states = async () => (await posts()).map(({ state }) => state)
const responses = async () => {
  const log = site.db.selectFrom('outbox_attempts').innerJoin('outbox', 'outbox.id', 'outbox_id')
  const found = await log
    .select('response')
    .where('kind', '=', 'webhook')
    .orderBy('outbox_attempts.rowid')
    .execute()
  return found.map(({ response }) => response)
}

/** Starts the worker that posts leads. A new worker doesn't know about earlier pauses. */
function startPosting(url = receiver.url) {
  const worker = startWorker(postTo(url), { lowestFor: leadsFor })
  worker.start()
  return worker
}

/** Posts leads until one has been attempted. */
async function work(url = receiver.url) {
  const before = (await responses()).length
  const worker = startPosting(url)
  await expect.poll(async () => (await responses()).length, { interval: 10 }).toBeGreaterThan(before)
  await worker.stop()
}

test('each lead is posted once, newest first, on a connection of its own, signed, with the documented fields', async () => {
  const first = await site.submit({ website: 'https://ada.example' })
  site.advanceClock(999)
  const second = await site.submit({ message: 'Cheap backlinks', phone: '', budget: '' })
  const spam = { spam_score: 12, spam_reasons: '["Reads like an offer"]' }
  await site.db.updateTable('leads').set(spam).where('reference', '=', second.reference).execute()
  const source = '{"referrer":"news.example"}'
  await site.db.updateTable('leads').set({ source }).where('reference', '=', first.reference).execute()
  const worker = startPosting()
  await expect.poll(states).toEqual(['sent', 'sent'])
  await worker.stop()

  expect(receiver.requests.map(({ reference }) => reference)).toEqual([second.reference, first.reference])
  expect(receiver.requests.every(({ isSigned, isAlone, isJson }) => isSigned && isAlone && isJson)).toBe(true)
  const [suspect, event] = receiver.requests.map(({ body }) => JSON.parse(body))
  expect(receiver.requests.map(({ id }) => id)).toEqual([suspect, event].map(({ data }) => `lead_${data.id}`))
  expect(shapeOf(JSON.stringify(event))).toEqual(shapeOf(documented))
  expect(event).toMatchObject({
    type: 'lead.created',
    version: 1,
    timestamp: '2026-03-02T15:00:00.000Z',
    data: {
      website: 'https://ada.example',
      receivedAt: '2026-03-02T15:00:00.000Z',
      replyDueAt: replyDueAt(new Date('2026-03-02T15:00Z')).toJSON(),
      inboxUrl: `https://agency.example/inbox/${first.reference}`,
      source: { referrer: 'news.example' },
      spam: { isSuspect: false },
    },
  })
  expect(suspect?.data).toMatchObject({
    phone: '',
    budget: '',
    spam: { isSuspect: true, score: 12, reasons: ['Reads like an offer'] },
  })
})

test('a post that waited promises what the visitor was promised, even if the person has written again', async () => {
  const { reference } = await site.submit()
  const { id, due_at } = await read(reference)
  await site.db
    .updateTable('leads')
    .set({ first_due_at: due_at, due_at: '2026-04-01T14:00:00.000Z' })
    .where('id', '=', id)
    .execute()
  await work()

  expect(JSON.parse(receiver.requests[0]?.body ?? '').data.replyDueAt).toBe(due_at)
})

test('after "Not spam", resend posts the lead again, with the same ID and the verdict of the owner', async () => {
  const { reference } = await site.submit()
  await suspect(reference)
  await work()
  await markLead(site.inboxDeps, { reference, version: 0, who: anna, state: 'open' })
  await requeueLead(site.db, (await read(reference)).id, site.clock.now, { addresses: [] })
  await work()

  const verdicts = receiver.requests.map(({ body }) => JSON.parse(body).data.spam.isSuspect)
  expect(verdicts).toEqual([true, false])
  expect(new Set(receiver.requests.map(({ id }) => id)).size).toBe(1)
})

test('after a change of LEAD_WEBHOOK_URL, the history says which program gets a lead', async () => {
  const { reference } = await site.submit()
  await work()
  await site.submit({ message: 'Another' })
  const recipients = async () => (await posts()).map(({ recipient }) => recipient)
  const moved = { addresses: [], webhook: { url: 'https://new.example:8443/leads' } }

  await readdress(site.db, moved)
  expect(await recipients()).toEqual([host, 'new.example:8443'])

  await requeueLead(site.db, (await read(reference)).id, site.clock.now, moved)
  expect(await recipients()).toEqual(['new.example:8443', 'new.example:8443'])
})

testOnce.each([
  ['a 500', () => receiver.respondWith(500), '500 Internal Server Error: status 500'],
  [
    'a long reply',
    () =>
      receiver.respondWith((response) => response.writeHead(500).end(`\u0007Bad\n\u202e${'x'.repeat(300)}`)),
    /^500 Internal Server Error: Bad x{196}$/,
  ],
  ['a 301', () => receiver.respondWith(301), '301 Moved Permanently: status 301'],
  ['a 307', () => receiver.respondWith(307), '307 Temporary Redirect: status 307'],
  ['a refused connection', () => receiver.close(), /ECONNREFUSED/],
  ['a reset', () => receiver.respondWith((response) => response.destroy()), /other side closed|ECONNRESET/],
])('after %s, the same post is sent again', async (_how, breakReceiver, reply) => {
  await site.submit()
  await breakReceiver()
  await work()
  expect(await states()).toEqual(['queued'])
  expect(await responses()).toEqual([expect.stringMatching(reply)])
  if (receiver.requests.length === 0) await receiver.reopen()

  receiver.respondWith(200)
  site.advanceClock(60_000)
  await work()

  expect(await states()).toEqual(['sent'])
  expect(new Set(receiver.requests.map(({ id, body }) => id + body)).size).toBe(1)
  expect(receiver.accepted).toMatchObject([{ timestamp: site.clock.now.getTime() / 1000 }])
})

testOnce.each<[string, Parameters<Receiver['respondWith']>[0]]>([
  ['a 302', 302],
  ['a 303', 303],
  [
    'a 200 whose body is cut off',
    (response) => {
      response.writeHead(200, { 'Content-Length': 10 }).flushHeaders()
      setImmediate(() => response.destroy())
    },
  ],
  ['a 200 whose body never ends', (response) => response.writeHead(200).flushHeaders()],
])('a lead is posted once to a receiver that responds with %s', async (_what, response) => {
  await site.submit()
  receiver.respondWith(response)
  // The receiver's deadline.
  speedUp(15_000)

  await work()

  expect(await states()).toEqual(['sent'])
  expect(receiver.requests).toHaveLength(1)
})

testOnce('the line of text for chat rooms has nothing that a visitor wrote', async () => {
  const { reference } = await site.submit({ firstName: '<!channel>', company: '@all' })

  await work()

  const { text } = JSON.parse(receiver.requests[0]?.body ?? '')
  expect(text).toBe(`New request ${reference}: https://agency.example/inbox/${reference}`)

  const withoutInbox = await site.submit({ message: 'Another' })
  const worker = startWorker(postTo(receiver.url, false), { lowestFor: leadsFor })
  worker.start()
  await expect.poll(() => receiver.requests.length).toBe(2)
  await worker.stop()
  const event = JSON.parse(receiver.requests[1]?.body ?? '')
  expect([event.text, event.data.inboxUrl]).toEqual([`New request ${withoutInbox.reference}`, null])
})

test('if the receiver hangs, the post times out, and no email is delayed', async () => {
  receiver.respondWith(hang)
  for (const message of ['1', '2', '3']) await site.submit({ message })
  const [emails, waiting] = [startWorker(async () => '250 ok'), startPosting()]
  emails.start()
  await expect.poll(async () => (await rows()).filter(({ state }) => state === 'sent').length).toBe(3)
  await emails.stop()
  expect(receiver.requests.length).toBeLessThan(2)
  await waiting.stop()

  // The receiver's deadline.
  speedUp(15_000)
  const worker = startPosting()
  await expect.poll(responses).toContain('The receiver did not respond in time.')

  expect(await states()).not.toContain('sent')
  await worker.stop()
})

test('leads that the receiver always rejects stop no others, neither missed nor new ones', async () => {
  // The worker's poll.
  speedUp(500)
  const missed = ['poison 1', 'poison 2', '1', '2', '3', '4', '5', '6']
  for (const message of missed) await site.submit({ message })
  receiver.respondWith((response) => {
    site.advanceClock(1)
    response.writeHead(receiver.requests.at(-1)?.body.includes('poison') ? 422 : 204).end()
  })
  const worker = startPosting()
  await site.submit({ message: 'new' })
  worker.wake()
  await expect.poll(states).toEqual(['queued', 'queued', ...Array(7).fill('sent')])
  const before = receiver.requests.length

  await site.submit({ message: 'newest' })
  worker.wake()

  await expect.poll(async () => (await states()).at(-1)).toBe('sent')
  await worker.stop()
  expect(before).toBe(1 + missed.length)
  expect(receiver.requests.slice(before).map(({ body }) => JSON.parse(body).data.message)).toEqual(['newest'])
})

test("erasing a person's data deletes the waiting post; retention keeps a lead with a waiting post for at most five days", async () => {
  await site.submit({ email: 'ada@example.com' })
  await site.submit({ email: 'kept@example.com', message: 'kept' })
  await erase(site, 'ada@example.com')
  expect(await posts()).toHaveLength(1)

  await site.db.updateTable('outbox').set({ state: 'sent' }).where('kind', '<>', 'webhook').execute()
  // As if it had been answered long ago.
  const longAgo = '2026-01-05T15:00:00.000Z'
  await site.db.updateTable('leads').set({ state: 'answered', sort_key: longAgo }).execute()
  const expire = async (days: number) => {
    site.advanceClock(days * DAY_MS)
    const { db, dataDir: mailDir, clock } = site
    await writeNote(db, 'retention_watch', {
      days: 1,
      hasInbox: true,
      seenAt: clock.now.getTime(),
      steadySince: 0,
    })
    const log = pino({ level: 'silent' })
    const areMessagesRead = async () => true
    const retain = createRetention({
      db,
      mailDir,
      days: 1,
      hasInbox: true,
      log,
      now: () => clock.now,
      areMessagesRead,
    })
    await retain(new AbortController().signal)
    return (await db.selectFrom('leads').select('id').execute()).length
  }
  expect(await expire(4)).toBe(1)
  expect(await expire(2)).toBe(0)
})
