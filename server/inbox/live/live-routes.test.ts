import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect as connectSocket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connect } from '../../database/postgres/open-postgres.ts'
import { createWriteTogether } from '../../database/write-together.ts'
import { createSubmitLead } from '../../leads/submit-lead.ts'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { openLive } from '../../proof/testing/open-live.ts'
import { isOnPostgres } from '../../proof/testing/open-test-database.ts'
import { sampleRequest } from '../../proof/testing/sample-request.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const submit = (message: string) =>
  site.submitLead(sampleRequest({ message }), { client: 'c', idempotencyKey: null })

const isOpen = (stream: { closed: Promise<void> }) =>
  Promise.race([stream.closed.then(() => false), sleep(300, true)])

test('a new lead arrives within a second, and not before', async () => {
  await submit('An old request')
  await using live = await openLive(site.db)
  const stream = await live.open('a')
  await sleep(1100)
  expect(stream.events).toEqual(['ping'])

  await submit('A new request')

  expect(await stream.next('change')).toBeLessThan(1000)
})

test('a change between opening the stream and the first poll is noticed', async () => {
  await using live = await openLive(site.db)
  const stream = await live.open('a')

  await submit('At once')

  expect(await stream.next('change')).toBeLessThan(1000)
})

test.runIf(isOnPostgres)('a lead stored by another replica arrives', async () => {
  await using live = await openLive(site.db)
  const stream = await live.open('a')
  const replica = connect(String(site.env.DATABASE_URL), 'visitor')
  const submitThere = createSubmitLead({
    ...{ write: createWriteTogether(replica), contactLimit: { limit: 9, windowSeconds: 60 } },
    ...{ mailFrom: { address: 'a@b.example' }, mailTo: [], sendsReceipts: false, keyedHash: String },
    ...{ now: () => new Date(), onStored: () => {} },
  })

  await submitThere(sampleRequest(), { client: 'c', idempotencyKey: null })

  expect(await stream.next('change')).toBeLessThan(1000)
  await replica.destroy()
})

test('a lead that is committed late, with an earlier id, arrives', async () => {
  await submit('A request')
  await using live = await openLive(site.db)
  const stream = await live.open('a')
  const lead = await site.db.selectFrom('leads').selectAll().executeTakeFirstOrThrow()

  const late = { ...lead, id: '00000000-0000-7000-8000-000000000000', reference: 'Q-LATE-LATE' }
  await site.db.insertInto('leads').values(late).execute()

  expect(await stream.next('change')).toBeLessThan(1000)
})

test('what an owner does elsewhere arrives', async () => {
  await submit('A request')
  await using live = await openLive(site.db)
  const stream = await live.open('a')
  const { id } = await site.db.selectFrom('leads').select('id').executeTakeFirstOrThrow()

  const event = { lead_id: id, at: '2026-03-02T15:00:00.000Z', who: 'shell', what: 'note' as const }
  await site.db.insertInto('lead_events').values(event).execute()

  expect(await stream.next('change')).toBeLessThan(1000)
})

test('an erasure by the command arrives, even of an old lead', async () => {
  await site.submitLead(sampleRequest({ email: 'gone@example.com' }), { client: 'c', idempotencyKey: null })
  for (let count = 0; count < 51; count++) await submit(`Request ${count}`)
  await using live = await openLive(site.db)
  const stream = await live.open('a')

  const args = ['server/cli/leads.ts', 'erase', 'gone@example.com', '--yes']
  await promisify(execFile)(process.execPath, args, { env: site.env })

  await stream.next('change')
}, 30_000)

test('leads come back on the day of their follow-up', async () => {
  const clock = { now: new Date('2026-03-03T04:59:59.000Z') }
  await using live = await openLive(site.db, { now: () => clock.now })
  const stream = await live.open('a')

  clock.now = new Date('2026-03-03T05:00:00.000Z')

  expect(await stream.next('change')).toBeLessThan(1000)
})

test('every stream hears of a change', async () => {
  await using live = await openLive(site.db)
  const streams = await Promise.all(['a', 'a', 'b'].map((session) => live.open(session)))

  await submit('A request')

  await Promise.all(streams.map((stream) => stream.next('change')))
})

test('pings keep coming', async () => {
  await using live = await openLive(site.db, { pingMs: 50 })
  const stream = await live.open('a')

  await expect.poll(() => stream.events.length).toBeGreaterThan(3)
  expect(new Set(stream.events)).toEqual(new Set(['ping']))
})

test('proxies may neither store, compress nor collect the events', async () => {
  await using live = await openLive(site.db)

  const { headers } = await live.open('a')

  expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(headers.get('cache-control')).toBe('no-store, no-transform')
  expect(headers.get('x-accel-buffering')).toBe('no')
})

test('a fifth stream of a session ends its first', async () => {
  await using live = await openLive(site.db)
  const streams = []
  for (const session of ['a', 'b', 'a', 'a', 'a']) streams.push(await live.open(session))

  const fifth = await live.open('a')

  const open = await Promise.all([...streams, fifth].map(isOpen))
  expect(open).toEqual([false, true, true, true, true, true])
})

test('over a hundred streams, the oldest ends', async () => {
  await using live = await openLive(site.db)
  const first = await live.open('first')
  for (let count = 0; count < 99; count++) await live.open(`session ${count % 33}`)
  expect(await isOpen(first)).toBe(true)

  await live.open('last')

  expect(await isOpen(first)).toBe(false)
})

test('signing out ends the streams of the session and says so', async () => {
  await using live = await openLive(site.db)
  const streams = [await live.open('a'), await live.open('a'), await live.open('b')]

  live.end('a')

  expect(await Promise.all(streams.map(isOpen))).toEqual([false, false, true])
  expect(streams[0]?.events).toEqual(['ping', 'end'])
})

test('a session that ends elsewhere ends its streams', async () => {
  await using live = await openLive(site.db)
  const [stream, other] = [await live.open('a'), await live.open('b')]

  await site.db.deleteFrom('sessions').where('id', '=', 'a').execute()

  expect(await stream.next('end')).toBeLessThan(1000)
  expect(await isOpen(other)).toBe(true)
})

test('stopping ends every stream and refuses new ones', async () => {
  await using live = await openLive(site.db)
  const stream = await live.open('a')

  live.stop()

  expect(await isOpen(stream)).toBe(false)
  expect(stream.events).toEqual(['ping'])
  expect((await live.open('a')).status).toBe(503)
})

test('a stream outlasts the deadline for responses, and a flood of connections', async () => {
  await using live = await openLive(site.db, { responseTimeoutMs: 100, maxConnections: 5 })
  const stream = await live.open('a')

  for (let count = 0; count < 50; count++) {
    const socket = connectSocket({ port: live.port, host: '127.0.0.1' }).on('error', () => {})
    await once(socket, 'connect')
  }

  expect(await isOpen(stream)).toBe(true)
})

test('without streams, nobody polls and nobody listens', async () => {
  await using live = await openLive(site.db)
  const stream = await live.open('a')
  await stream.cancel()
  await expect.poll(() => live.listeners.size).toBe(0)
  await sleep(600)

  const queries = vi.spyOn(site.db, 'executeQuery')
  await sleep(1100)

  expect(queries).not.toHaveBeenCalled()
})

test('a database that fails ends the streams, so that no page believes itself to be live', async () => {
  await using live = await openLive(site.db)
  const stream = await live.open('a')

  await site.db.schema.alterTable('lead_events').renameTo('gone').execute()

  expect(await Promise.race([stream.closed.then(() => 'closed'), sleep(2000, 'open')])).toBe('closed')
  expect(stream.events).not.toContain('end')
})
