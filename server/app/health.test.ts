import Sqlite from 'better-sqlite3'
import request from 'supertest'
import { expect, test } from 'vitest'
import { writeNote } from '../database/notes.ts'
import { writeTrouble } from '../mailbox/trouble.ts'
import { buildTestApp, type TestApp, useTestApp } from '../proof/testing/build-test-app.ts'

const site = useTestApp()

const ask = async (path: string, { app } = site) => {
  const { status, headers, body } = await request(app).get(path)
  expect(headers['cache-control']).toBe('no-store')
  return [status, body]
}

test('with a locked database, the server is alive but not ready', async () => {
  const other = new Sqlite(`${site.dataDir}/leads.db`)
  other.exec('BEGIN IMMEDIATE')

  expect(await ask('/healthz/ready')).toEqual([503, { status: 'database' }])
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
  other.close()
  // Anyone can ask, so the server looks only once a second, also by a clock that was set back.
  expect(await ask('/healthz/ready')).toEqual([503, { status: 'database' }])
  site.advanceClock(-1000)
  expect(await ask('/healthz/ready')).toEqual([200, { status: 'ok' }])
})

test('the check of the database changes nothing else that is noted there', async () => {
  const others = () =>
    site.db
      .selectFrom('settings')
      .selectAll()
      .where('name', '<>', 'last_write_check')
      .orderBy('name')
      .execute()
  const before = await others()
  expect(before.length).toBeGreaterThan(0)

  expect(await ask('/healthz/ready')).toEqual([200, { status: 'ok' }])

  expect(await others()).toEqual(before)
})

const trouble = { folder: 'inbox', since: '2026-03-01T08:00:00.000Z' } as const
test.each([
  ['alone', 'waiting', () => {}],
  ['and an unreadable mailbox', 'waiting', ({ db }: TestApp) => writeTrouble(db, trouble)],
  [
    'and an unreadable database',
    'database',
    ({ db }: TestApp) => db.schema.alterTable('outbox').renameTo('gone').execute(),
  ],
])(
  'for an outbox worker that has stopped polling %s, /healthz/mail says "%s"',
  async (_and, status, breakMore) => {
    await using stalled = await buildTestApp({ isMailStalled: true })
    Object.assign(stalled.context.env, { IMAP_URL: 'imaps://u:p@mail.example' })
    await breakMore(stalled)

    expect(await ask('/healthz/mail', stalled)).toEqual([503, { status }])
  },
)

test('without SMTP_URL, /healthz/mail says "waiting" only if it was set before', async () => {
  expect(await ask('/healthz/mail')).toEqual([200, { status: 'ok' }])
  await writeNote(site.db, 'smtp_used', true)
  site.advanceClock(1000)
  expect(await ask('/healthz/mail')).toEqual([503, { status: 'waiting' }])
})
