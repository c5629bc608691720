import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { isOnPostgres, useTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail, outboxTools, type Send } from '../proof/testing/outbox.ts'

const MINUTE_MS = 60_000

const site = useTestApp()

const { deliveryLog, rows, startWorker, submit } = outboxTools(site)
const hang: Send = (_email, signal) =>
  new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))

test('an email aborted by a shutdown is due at once, and the delivery log says why', async () => {
  await submit('1')
  const worker = startWorker(hang)
  worker.start()
  await expect.poll(async () => (await rows())[0]?.state).toBe('sending')

  await worker.stop()

  expect(await rows()).toMatchObject([{ state: 'queued', due_at: site.clock.now.toISOString() }])
  expect(await deliveryLog()).toMatchObject([{ outcome: 'retry', response: 'The server was stopped.' }])
})

test('the lease on an email ends after seven minutes or at a restart', async () => {
  await submit('1')
  const claim = () => site.outbox.claim(site.clock.now)

  expect(await claim()).toMatchObject({ attempts: 1 })
  site.advanceClock(7 * MINUTE_MS - 1)
  expect(await claim()).toBeUndefined()
  site.advanceClock(1)
  expect(await claim()).toMatchObject({ attempts: 2 })
  await site.outbox.releaseAll(site.clock.now)
  // On PostgreSQL, `releaseAll` does nothing, because the lease may belong to another replica.
  expect(await claim()).toEqual(isOnPostgres ? undefined : expect.objectContaining({ attempts: 3 }))
})

test('after losing its lease, a worker can only record that the email was sent', async () => {
  await submit('1')
  const reply = { smtpCode: null, response: '' }
  const stale = await claimEmail(site)
  site.advanceClock(7 * MINUTE_MS)
  const current = await claimEmail(site)
  const claimed = await rows()

  await site.outbox.record(stale, site.clock.now, 'retry', reply, MINUTE_MS)
  await site.outbox.record(stale, site.clock.now, 'failed', reply)
  expect([await rows(), await deliveryLog()]).toEqual([claimed, []])

  await site.outbox.record(stale, site.clock.now, 'sent', reply)
  await site.outbox.record(current, site.clock.now, 'retry', reply, MINUTE_MS)
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2 }])
  expect(await deliveryLog()).toMatchObject([{ outcome: 'sent' }])
})

test('an email whose lead was erased while it was sent marks no other email as sent', async () => {
  await submit('1')
  const erased = await claimEmail(site)
  await site.db.deleteFrom('leads').execute()
  // SQLite gives this email the id of the erased one.
  await submit('2')

  await site.outbox.record(erased, site.clock.now, 'sent', { smtpCode: 250, response: 'ok' })

  expect(await rows()).toMatchObject([{ state: 'queued' }])
  expect(await deliveryLog()).toEqual([])
})

test.skipIf(isOnPostgres)(
  'if the database is locked for a moment after an email is sent, the email is still recorded as sent',
  async () => {
    await submit('1')
    const foreign = new Sqlite(`${site.dataDir}/leads.db`)
    const worker = startWorker(async () => {
      foreign.exec('begin immediate')
      setTimeout(() => foreign.exec('rollback'), 700)
      return '250 ok'
    })

    worker.start()

    await expect.poll(async () => (await rows())[0]?.state, { timeout: 5000 }).toBe('sent')
    foreign.close()
    await worker.stop()
  },
)

test('an email that was sent but could not be recorded as sent stays leased', async () => {
  await submit('1')
  const worker = startWorker(async () => {
    await site.db.schema.alterTable('outbox_attempts').renameTo('gone').execute()
    return '250 ok'
  })

  worker.start()
  await expect.poll(async () => (await rows())[0]?.state).toBe('sending')
  await worker.stop()

  expect(await rows()).toMatchObject([{ state: 'sending', attempts: 1 }])
})
