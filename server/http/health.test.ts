import Sqlite from 'better-sqlite3'
import request from 'supertest'
import { expect, test } from 'vitest'
import { buildTestApp, isOnPostgres, useTestApp } from '../proof/testing/build-test-app.ts'

const site = useTestApp()

const ask = async (path: string) => {
  const { status, body } = await request(site.app).get(path)
  return [status, body]
}

test.skipIf(isOnPostgres)('with a locked database, the server is alive but not ready', async () => {
  const other = new Sqlite(`${site.dataDir}/leads.db`)
  other.exec('BEGIN IMMEDIATE')

  expect(await ask('/healthz/ready')).toEqual([503, { status: 'database' }])
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
  other.close()
})

test('/healthz/mail reports an outbox worker that has stopped polling', async () => {
  await using stalled = await buildTestApp({ isMailStalled: true })

  const { status, body } = await request(stalled.app).get('/healthz/mail')

  expect([status, body]).toEqual([503, { status: 'waiting' }])
})

test('/healthz/mail reports an email that has waited for more than 15 minutes', async () => {
  await site.submit()
  site.advanceClock(15 * 60_000)
  expect(await ask('/healthz/mail')).toEqual([200, { status: 'ok' }])
  site.advanceClock(60_000)
  expect(await ask('/healthz/mail')).toEqual([503, { status: 'waiting' }])
})
