import Sqlite from 'better-sqlite3'
import request from 'supertest'
import { expect, test } from 'vitest'
import { buildTestApp, useTestApp } from '../proof/testing/build-test-app.ts'

const site = useTestApp()

const ask = async (path: string, { app } = site) => {
  const { status, body } = await request(app).get(path)
  return [status, body]
}

test('with a locked database, the server is alive but not ready', async () => {
  const other = new Sqlite(`${site.dataDir}/leads.db`)
  other.exec('BEGIN IMMEDIATE')

  expect(await ask('/healthz/ready')).toEqual([503, { status: 'database' }])
  expect(await ask('/healthz')).toEqual([200, { status: 'ok' }])
  other.close()
})

test('/healthz/mail says that the database cannot be read', async () => {
  await site.db.schema.alterTable('outbox').renameTo('gone').execute()

  expect(await ask('/healthz/mail')).toEqual([503, { status: 'database' }])
})

test('/healthz/mail reports an outbox worker that has stopped polling', async () => {
  await using stalled = await buildTestApp({ isMailStalled: true })

  expect(await ask('/healthz/mail', stalled)).toEqual([503, { status: 'waiting' }])
})
