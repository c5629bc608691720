import { expect, test } from 'vitest'
import { TooLate } from '../mail/send-error.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { outboxTools, writeEmailOf } from '../proof/testing/outbox.ts'
import { MAIL_PATIENCE_MS, readMailHealth } from './backlog.ts'

const MINUTE_MS = 60_000

const site = useTestApp()

const { deliver, deliveryLog, rows, submit } = outboxTools(site)
const smtpError = (responseCode: number, command: string) =>
  Object.assign(new Error('no'), { responseCode, command, response: `${responseCode} no` })

test('an email that the mail server accepts is recorded as sent, with the reply in the delivery log', async () => {
  await submit('1')

  await deliver(async () => '250 2.0.0 queued as 42')

  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1, sent_at: site.clock.now.toISOString() }])
  expect(await deliveryLog()).toMatchObject([
    { outcome: 'sent', smtp_code: 250, response: '250 2.0.0 queued as 42' },
  ])
})

test('a failed email is retried after a minute, but not earlier', async () => {
  await submit('1')
  let calls = 0
  const send = async () => {
    if (++calls === 1) throw smtpError(451, 'RCPT TO')
    return '250 ok'
  }

  await deliver(send)
  site.advanceClock(MINUTE_MS - 1)
  await deliver(send)
  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 1 }])
  site.advanceClock(1)
  await deliver(send)

  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2 }])
  expect((await deliveryLog()).map((attempt) => [attempt.outcome, attempt.smtp_code])).toEqual([
    ['retry', 451],
    ['sent', 250],
  ])
})

test('an email of an unknown kind stays queued, and the health check reports it', async () => {
  await submit('1')
  await site.db
    .updateTable('outbox')
    .set({ kind: 'from_the_future' as never })
    .execute()

  await deliver(async (email) => String(await writeEmailOf(site)(email)))
  site.advanceClock(16 * MINUTE_MS)

  expect(await rows()).toMatchObject([{ state: 'queued' }])
  expect((await deliveryLog())[0]?.response).toContain('cannot write emails of kind from_the_future')
  expect(await readMailHealth(site.db, new Date(site.clock.now.getTime() - MAIL_PATIENCE_MS))).toBe('waiting')
})

test('after five days, the worker gives up on an email but keeps it', async () => {
  await submit('1')
  const start = site.clock.now.getTime()
  let lastAt = 0
  for (let round = 0; round < 200; round++) {
    await deliver(async () => {
      lastAt = site.clock.now.getTime()
      throw new Error('connection refused')
    })
    const [email] = await rows()
    if (email?.state === 'failed') break
    site.clock.now = new Date(email?.due_at ?? 0)
  }

  expect(await rows()).toMatchObject([{ state: 'failed' }])
  const days = (lastAt - start) / (24 * 60 * MINUTE_MS)
  expect(days).toBeGreaterThan(4.8)
  expect(days).toBeLessThanOrEqual(5)
})

test('after a clock jump, the worker neither gives up on emails nor leaves them waiting', async () => {
  await submit('1')
  const refuse = async () => {
    throw new Error('connection refused')
  }

  await deliver(refuse)
  site.advanceClock(365 * 24 * 60 * MINUTE_MS)
  await deliver(refuse)
  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 2 }])
  site.advanceClock(-366 * 24 * 60 * MINUTE_MS)
  await deliver(async () => '250 ok')

  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 3 }])
})

test('an email that is too late is given up on, and this says nothing about the mail server', async () => {
  await submit('1')

  await deliver(async () => {
    throw new TooLate('Too late to send.')
  })

  expect(await rows()).toMatchObject([{ state: 'failed', cause: null }])
  expect(await deliveryLog()).toMatchObject([{ outcome: 'failed', response: 'Too late to send.' }])
})
