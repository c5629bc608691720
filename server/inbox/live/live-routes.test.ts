import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Database } from '../../database/schema.ts'
import { testOnce, useTestApp } from '../../proof/testing/build-test-app.ts'
import { openLive } from '../../proof/testing/open-live.ts'

const site = useTestApp()

/** Fails if a stream ends within 300 ms. */
async function expectOpen(...streams: { closed: Promise<void> }[]) {
  const first = Promise.race(streams.map(({ closed }) => closed))
  expect(await Promise.race([first.then(() => 'ended'), sleep(300, 'open')])).toBe('open')
}

testOnce('an open stream keeps getting pings', async () => {
  await using live = await openLive(site.db, { pingMs: 50 })
  const stream = await live.open('a')

  await expect.poll(() => stream.events.length).toBeGreaterThan(3)
  expect(new Set(stream.events)).toEqual(new Set(['ping']))
})

testOnce('headers tell proxies not to store, compress or buffer the events', async () => {
  await using live = await openLive(site.db)

  const { headers } = await live.open('a')

  expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
  expect(headers.get('cache-control')).toBe('no-store, no-transform')
  expect(headers.get('x-accel-buffering')).toBe('no')
})

testOnce('when a session opens its fifth stream, its first one ends', async () => {
  await using live = await openLive(site.db)
  const others = [await live.open('b')]
  const first = await live.open('a')
  for (const session of ['a', 'a', 'a']) others.push(await live.open(session))

  const fifth = await live.open('a')

  await first.closed
  await expectOpen(...others, fifth)
})

const own = (db: Database) => db.updateTable('sessions').where('id', '=', 'a')
test.each<[string, (db: Database) => { execute: () => Promise<unknown> }]>([
  ['is signed out, on whatever replica', (db) => db.deleteFrom('sessions').where('id', '=', 'a')],
  ['has expired', (db) => own(db).set({ seen_at: '2026-02-23T15:00:00.000Z' })],
  ['no longer belongs to anybody in MAIL_TO', (db) => own(db).set({ owner: 'former@agency.example' })],
])('when a session %s, an end event is sent to its streams, and they close', async (_how, change) => {
  await using live = await openLive(site.db)
  const streams = [await live.open('a'), await live.open('a')]
  const other = await live.open('b')

  await change(site.db).execute()

  await Promise.all(streams.map(({ closed }) => closed))
  for (const { events } of streams) expect(events.at(-1)).toBe('end')
  await expectOpen(other)
})

test('when the server stops, every stream ends, and new ones are refused', async () => {
  await using live = await openLive(site.db)
  const stream = await live.open('a')

  live.stop()

  await stream.closed
  expect(stream.events).toEqual(['ping'])
  expect((await live.open('a')).status).toBe(503)
})

test('a database failure ends the streams, so that no page believes it is up to date', async () => {
  await using live = await openLive(site.db)
  const stream = await live.open('a')

  await site.db.schema.alterTable('lead_events').renameTo('gone').execute()

  await stream.closed
  expect(stream.events).not.toContain('end')
})
