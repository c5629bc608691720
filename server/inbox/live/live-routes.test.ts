import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '../../database/schema.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { atOffice, erase, storeLead } from '../../proof/testing/leads.ts'
import { openLive } from '../../proof/testing/open-live.ts'
import { speedUp } from '../../proof/testing/outbox.ts'
import {
  type OwnerBrowser,
  openBrowser,
  samplePasskey,
  sampleSession,
  signIn,
} from '../../proof/testing/owner-browser.ts'
import { POLL_EVERY_MS } from './live-routes.ts'

const [anna, bob] = ['anna@agency.example', 'bob@agency.example']
const site = useTestApp({ mailTo: [anna, bob] })
let hers: OwnerBrowser
let his: OwnerBrowser
beforeEach(async () => {
  speedUp(POLL_EVERY_MS)
  hers = await signIn(site, openBrowser(site.app), anna)
  his = await signIn(site, openBrowser(site.app), bob)
})

/** Fails if a stream ends within a few polls. */
async function expectOpen(...streams: { closed: Promise<void> }[]) {
  const first = Promise.race(streams.map(({ closed }) => closed))
  expect(await Promise.race([first.then(() => 'ended'), sleep(100, 'open')])).toBe('open')
}

testOnce(
  'an open stream gets a ping every 25 seconds, and no proxy stores, compresses or buffers it',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    await using live = await openLive(site)
    const { headers, next } = await live.open(hers)
    for (let pings = 0; pings < 3; pings++) {
      await next('ping')
      vi.advanceTimersByTime(25_000)
    }
    vi.useRealTimers()

    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(headers.get('cache-control')).toBe('no-store, no-transform')
    expect(headers.get('x-accel-buffering')).toBe('no')
  },
)

testOnce(
  'a session with a stream counts as in use until its page leaves; when it opens its fifth stream, its first one ends',
  async () => {
    await using live = await openLive(site)
    const first = await live.open(hers)
    const inUse = async () => {
      const { sessions } = (await his.get('/access')).body
      return sessions.flatMap(({ isInUse, owner }: Record<string, unknown>) => (isInUse ? owner : []))
    }
    expect(await inUse()).toEqual([anna])
    const others = [await live.open(his)]
    for (let count = 0; count < 4; count++) others.push(await live.open(hers))

    await first.closed
    await expectOpen(...others)
    for (const { leave } of others.slice(1)) leave()
    await expect.poll(inUse).toEqual([bob])
  },
)

const own = (db: Database) => db.updateTable('sessions').where('owner', '=', anna)
test.each<[string, (db: Database) => { execute: () => Promise<unknown> }]>([
  ['is signed out, on whatever replica', (db) => db.deleteFrom('sessions').where('owner', '=', anna)],
  ['has expired', (db) => own(db).set({ seen_at: '2026-02-23T15:00:00.000Z' })],
  ['no longer belongs to anybody in MAIL_TO', (db) => own(db).set({ owner: 'former@agency.example' })],
])('when a session %s, an end event is sent to its streams, and they close', async (_how, change) => {
  await using live = await openLive(site)
  const streams = [await live.open(hers), await live.open(hers)]
  const other = await live.open(his)

  await change(site.db).execute()

  await Promise.all(streams.map(({ closed }) => closed))
  for (const { events } of streams) expect(events.at(-1)).toBe('end')
  await expectOpen(other)
})

test('when the server stops, every stream ends, and new ones are refused', async () => {
  await using live = await openLive(site)
  const stream = await live.open(hers)

  site.inbox.stop()

  await stream.closed
  expect(stream.events).toEqual(['ping'])
  expect((await live.open(hers)).status).toBe(503)
})

test('a database failure ends the streams, so that no page believes it is up to date', async () => {
  await using live = await openLive(site)
  const stream = await live.open(hers)

  await site.db.schema.alterTable('lead_events').renameTo('gone').execute()

  await stream.closed
  expect(stream.events).not.toContain('end')
})

test('a new lead is reported, even if leads with higher ids were committed before it', async () => {
  await site.submit({ message: 'An old request' })
  await using live = await openLive(site)
  const stream = await live.open(hers)
  const stored = await site.db.selectFrom('leads').selectAll().executeTakeFirstOrThrow()
  const { list: _, ...lead } = stored

  const late = { ...lead, id: '00000000-0000-7000-8000-000000000000', reference: 'Q-LATE-LATE' }
  await site.db.insertInto('leads').values(late).execute()

  await stream.next('change')
})

test('a change is reported to an open page, even if another page opens before the next poll', async () => {
  vi.restoreAllMocks()
  await using live = await openLive(site)
  const stream = await live.open(hers)
  await site.submit()
  await live.open(his)

  await stream.next('change')
})

test('emails, attempts to send them, saved replies, sign-ins, sign-outs, and passkeys that are added, used or removed are reported', async () => {
  await using live = await openLive(site)
  const stream = await live.open(hers)
  const at = '2026-03-02T15:00:00.000Z'
  const email = { recipient: '', priority: 0, message_id: '', queued_at: at, due_at: at, content: '{}' }
  const attempt = site.db.selectFrom('outbox').select(['id', 'queued_at', 'state', 'recipient'])
  const changes = [
    site.db.insertInto('outbox').values({ ...email, kind: 'morning', state: 'sent' }),
    site.db
      .insertInto('outbox_attempts')
      .columns(['outbox_id', 'at', 'outcome', 'response'])
      .expression(attempt),
    site.db.insertInto('settings').values({ name: 'saved_replies', value: '{"replies":[]}' }),
    site.db.insertInto('sessions').values(sampleSession()),
    site.db.deleteFrom('sessions').where('id', '=', 's'),
    site.db.insertInto('passkeys').values(samplePasskey()),
    site.db.updateTable('passkeys').where('id', '=', 'p').set({ used_at: at }),
    site.db.deleteFrom('passkeys').where('id', '=', 'p'),
  ]

  for (const change of changes) {
    await change.execute()
    await stream.next('change')
  }
})

test('a file that is attached on one device, or removed, is reported to the others', async () => {
  const { reference } = await site.submit()
  await using live = await openLive(site)
  const stream = await live.open(hers)
  const id = randomUUID()

  await hers.attach(reference, { id })
  await stream.next('change')
  await hers.delete(`/leads/${reference}/files/${id}`)
  await stream.next('change')
})

test('erasing an old lead, and a new one after many, are reported', async () => {
  // Changes are found by comparing the 50 newest leads. There are 51 newer leads, so the erased
  // lead is not one of the 50.
  const address = 'gone@example.com'
  await site.submit({ email: address })
  for (let count = 0; count < 51; count++) await site.submit({ message: `Request ${count}` })
  await using live = await openLive(site)
  const stream = await live.open(hers)

  await erase(site, address)
  await stream.next('change')
  await site.submit({ message: 'New' })
  await stream.next('change')
})

test('a follow-up whose time has come is reported, because its lead returns to the open list', async () => {
  await storeLead(site.db, { follow_up_at: atOffice('2026-03-02T14:00').toISOString() })
  site.clock.now = atOffice('2026-03-02T13:59:59')
  await using live = await openLive(site)
  const stream = await live.open(hers)

  site.clock.now = atOffice('2026-03-02T14:00:01')

  await stream.next('change')
})

test('a message that an owner has read on one device is no longer new on the others', async () => {
  const { id, reference } = await storeLead(site.db, { seen_at: '2026-03-02T15:00:00.000Z' })
  const at = site.clock.now.toISOString()
  const reply = { lead_id: id, at, who: 'ada@example.com', what: 'reply' } as const
  await site.db.insertInto('lead_events').values(reply).execute()
  await using live = await openLive(site)
  const stream = await live.open(his)

  await hers.post(`/leads/${reference}/seen`, { upTo: 1_000 })

  await stream.next('change')
})
