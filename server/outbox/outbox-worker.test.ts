import { expect, onTestFinished, test, vi } from 'vitest'
import { createOutbox } from '../app/create-outbox.ts'
import type { Env } from '../env.ts'
import { isOnPostgres, testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { openInbox } from '../proof/testing/inbox.ts'
import { refusal } from '../proof/testing/leads.ts'
import { claimEmail, deliverToFiles, outboxTools } from '../proof/testing/outbox.ts'
import { webhookSecret } from '../proof/testing/receiver.ts'
import { createAttempt, type Deliver } from './attempt.ts'
import { findDeliveryMode } from './delivery-mode.ts'
import { type Email, enqueue } from './email.ts'
import { readdress, requeueFailed, requeueWritten } from './resend.ts'
import { retryDelay } from './retry-schedule.ts'

const MINUTE_MS = 60_000

const site = useTestApp()

const { deliver, deliveryLog, rows, submit, startWorker } = outboxTools(site)
const states = async () => (await rows()).map(({ state }) => state)
/** Sends the next due email. Returns whether the server is up. */
const attempt = async (send: Deliver) => {
  const deps = { ...site.context, outbox: site.outbox, deliver: send, random: Math.random }
  return createAttempt(deps, new AbortController().signal)(await claimEmail(site))
}

test('a failed email is retried after a minute, but not earlier, and no secret that a reply quotes is stored', async () => {
  const redact = (text: string) => text.replace('op3n', '[secret]')
  await submit('1')
  let calls = 0
  const send = async () => {
    if (++calls === 1) throw refusal('451 op3n\0')
    return '250 op3n'
  }

  await deliver(send, { redact })
  site.advanceClock(MINUTE_MS - 1)
  await deliver(send, { redact })
  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 1 }])
  site.advanceClock(1)
  await deliver(send, { redact })

  const sent_at = site.clock.now.toISOString()
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2, sent_at }])
  expect(
    (await deliveryLog()).map((attempt) => [attempt.outcome, attempt.smtp_code, attempt.response]),
  ).toEqual([
    ['retry', 451, '451 [secret]\ufffd'],
    ['sent', 250, '250 [secret]'],
  ])
})

test('the longest retry delay is not taken for a wrong clock', async () => {
  await submit('1')
  const delay = 144 * MINUTE_MS
  await site.outbox.record(
    await claimEmail(site),
    site.clock.now,
    'retry',
    { smtpCode: 451, response: '' },
    delay,
  )

  expect(await site.outbox.claim(site.clock.now)).toBeUndefined()
})

test('an email is retried after 1, 5, 15, 30, and 60 minutes, then every two hours, within 20%', () => {
  const { now } = site.clock
  const delay = (attempts: number, random = 0.5) => {
    const email = { attempts, queuedAt: now.toISOString() } as Email
    return Number(retryDelay(email, 'server', now, random)) / MINUTE_MS
  }
  expect([1, 2, 3, 4, 5, 6, 64].map((attempts) => delay(attempts))).toEqual([1, 5, 15, 30, 60, 120, 120])
  expect([delay(1, 0), delay(1, 1)]).toEqual([0.8, 1.2])
})

test('after five days, an email is given up on, but kept, and the log says so', async () => {
  await submit('1')
  const start = site.clock.now.getTime()
  let lastAt = 0
  for (let round = 0; round < 200; round++) {
    await deliver(async () => {
      lastAt = site.clock.now.getTime()
      throw new Error('connection refused')
    }, site.context)
    const [email] = await rows()
    if (email?.state === 'failed') break
    site.clock.now = new Date(email?.due_at ?? 0)
  }

  expect(await rows()).toMatchObject([{ state: 'failed', sent_at: null }])
  const days = (lastAt - start) / (24 * 60 * MINUTE_MS)
  expect(days).toBeGreaterThan(4.8)
  expect(days).toBeLessThanOrEqual(5)
  expect(site.logLines.at(-1)).toMatch(/"level":50.*"given up"/)
})

test.each([
  ['a year', 365 * 24 * 60],
  ['four hours', 4 * 60],
])('after a clock jump of %s, emails are neither given up on nor left waiting', async (_time, minutes) => {
  await submit('1')
  const refuse = async () => {
    throw new Error('connection refused')
  }

  await deliver(refuse)
  site.advanceClock(minutes * MINUTE_MS)
  await deliver(refuse)
  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 2 }])
  site.advanceClock(-minutes * MINUTE_MS)
  await deliver(async () => '250 ok')

  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 3 }])
})

const fail = (error: Error) => () => Promise.reject(error)
testOnce.each<[what: string, Deliver, isServerUp: boolean | undefined, states: string[], outcomes: string[]]>(
  [
    ['is sent', async () => '250 ok', true, ['sent'], ['sent']],
    ['is refused', fail(refusal('550 5.1.1 <ada@example.com>?')), true, ['queued'], ['retry']],
    ['finds no server', fail(new Error('ECONNREFUSED')), false, ['queued'], ['retry']],
    ['is told to come later', fail(refusal('421 busy')), false, ['queued'], ['retry']],
    ['is too late', async () => ({ unsent: 'too late' }), undefined, ['failed'], ['failed']],
    ['is in a list', async () => ({ unsent: 'listed' }), undefined, ['listed'], ['listed']],
    ['is not needed', async () => ({ unsent: 'not needed' }), undefined, [], []],
  ],
)(
  'after an email that %s, the attempt says whether the server is up, and the log names nobody',
  async (_what, send, isUp, states, outcomes) => {
    await submit('1')

    expect(await attempt(send)).toBe(isUp)

    expect((await rows()).map(({ state }) => state)).toEqual(states)
    expect((await deliveryLog()).map(({ outcome }) => outcome)).toEqual(outcomes)
    expect(site.logLines.join()).not.toContain('ada@')
  },
)

const hang: Deliver = (_email, signal) =>
  new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))

test('a shutdown waits a moment; an email that it aborts is due at once, and the delivery log says why', async () => {
  for (const message of ['1', '2']) await submit(message)
  const done = Promise.withResolvers<void>()
  const worker = startWorker((email, signal) =>
    email.id === 1 ? done.promise.then(() => '250 ok') : hang(email, signal),
  )
  worker.start()
  await expect.poll(states).toEqual(['sending', 'sending'])

  const stopped = worker.stop()
  setTimeout(done.resolve)
  await stopped

  expect(await rows()).toMatchObject([
    { state: 'sent' },
    { state: 'queued', due_at: site.clock.now.toISOString() },
  ])
  expect(await deliveryLog()).toMatchObject([
    { outcome: 'sent' },
    { outcome: 'retry', response: 'The server was stopped.' },
  ])
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

test('a restart sends nothing again, and what waits for its time goes on waiting', async () => {
  for (const message of ['1', '2', '3']) await submit(message)
  const [sent, waiting] = [await claimEmail(site), await claimEmail(site)]
  const reply = { smtpCode: null, response: '' }
  await site.outbox.record(sent, site.clock.now, 'sent', reply)
  await site.outbox.record(waiting, site.clock.now, 'retry', reply, MINUTE_MS)
  const before = await rows()

  await site.outbox.releaseAll(site.clock.now)

  expect(await rows()).toEqual(before)
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
  await site.outbox.withdraw(stale)
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

test('an email that was sent while the database fails stays leased, and is recorded as sent once, when it works again', async () => {
  await submit('1')
  let sent = 0
  const worker = startWorker(async () => {
    await site.db.schema.alterTable('outbox_attempts').renameTo('gone').execute()
    sent++
    return '250 ok'
  })

  worker.start()
  await expect.poll(() => sent).toBe(1)
  expect(await rows()).toMatchObject([{ state: 'sending', attempts: 1 }])
  await site.db.schema.alterTable('gone').renameTo('outbox_attempts').execute()

  await expect.poll(rows).toMatchObject([{ state: 'sent', attempts: 1 }])
  await worker.stop()
  expect([sent, (await deliveryLog()).length]).toEqual([1, 1])
})

test('if the database stores that an email was sent, but does not confirm it, the delivery log still has one line', async () => {
  await submit('1')
  const sent_at = site.clock.now.toISOString()
  const { record: store } = site.outbox
  const lose = async (...sent: Parameters<typeof store>) => {
    await store(...sent)
    site.advanceClock(MINUTE_MS)
    throw new Error('connection lost')
  }
  const record = vi.fn(store).mockImplementationOnce(lose)
  const worker = startWorker(async () => '250 ok', { outbox: { ...site.outbox, record } })

  worker.start()
  await expect.poll(() => record.mock.settledResults[1]?.type, { timeout: 5_000 }).toBe('fulfilled')
  await worker.stop()

  expect(await rows()).toMatchObject([{ state: 'sent', sent_at }])
  expect(await deliveryLog()).toHaveLength(1)
})

test('after MAIL_TO changes, unsent emails to the owner go to the new mailbox, and all others to theirs', async () => {
  for (const message of ['given up', 'queued']) await submit(message)
  const [first, second] = [await claimEmail(site), await claimEmail(site)]
  await site.outbox.record(first, site.clock.now, 'failed', { smtpCode: 550, response: '550 5.1.1 who?' })
  await site.outbox.record(second, site.clock.now, 'retry', { smtpCode: 450, response: '450 later' })
  const visitor = 'ada@example.com'
  await enqueue(site.db, [{ kind: 'visitor_receipt', recipient: visitor, messageId: '<r>' }], site.clock.now)
  const sentTo: string[] = []
  const send = async ({ recipient }: Email) => `250 ${sentTo.push(recipient)}`

  await readdress(site.db, { addresses: ['new@agency.example', 'b@agency.example'] })
  await requeueFailed(site.db, undefined, site.clock.now)
  const worker = startWorker(send)
  worker.start()
  await expect.poll(() => sentTo).toHaveLength(3)
  await worker.stop()

  expect(sentTo.toSorted()).toEqual([visitor, 'new@agency.example', 'new@agency.example'])
  expect((await rows()).map(({ recipient }) => recipient).toSorted()).toEqual(sentTo.toSorted())
})

test('emails are written to files until SMTP_URL is set for the first time, and are held if it is missing later', async () => {
  const modes: string[] = []
  const smtpUrl = 'smtp://mail.example.com'
  for (const url of [undefined, smtpUrl, undefined, smtpUrl]) modes.push(await findDeliveryMode(site.db, url))

  expect(modes).toEqual(['files', 'smtp', 'held', 'smtp'])
})

test('once there is a mail server, the notices that were only written to files are sent, unless a list replaces them, but no other emails', async () => {
  const reply = { smtpCode: null, response: '' }
  await submit('sent')
  await site.outbox.record(await claimEmail(site), site.clock.now, 'sent', reply)
  await submit('only written')
  await submit('a copy of an answer')
  await deliverToFiles(site)
  await site.db.updateTable('outbox').set({ kind: 'answer_copy' }).where('id', '=', 3).execute()
  expect(await states()).toEqual(['sent', 'file', 'file'])

  expect(await requeueWritten(site.db, site.clock.now)).toBe(1)
  expect(await states()).toEqual(['sent', 'queued', 'file'])
  await site.outbox.record(await claimEmail(site), site.clock.now, 'listed', reply)
  expect(await requeueWritten(site.db, site.clock.now)).toBe(0)
})

test.each<[Env['INBOX'], repliesToMailbox: number]>([
  ['on', 1],
  ['off', 0],
])(
  'with INBOX=%s, a start tries at once what has failed before, over real SMTP, posts only what is for the webhook, and %i answers invite replies to the mailbox',
  async (INBOX, toMailbox) => {
    const relay = await openInbox()
    onTestFinished(relay.close)
    const later = { smtpCode: 535, response: '535 wrong password' }
    for (const message of ['1', '2', '3', '4']) {
      await submit(message)
      await site.outbox.record(await claimEmail(site), site.clock.now, 'retry', later, 3_600_000)
    }
    const content = JSON.stringify({ text: 'Yes', owner: 'a@b.example', at: site.clock.now, references: [] })
    await site.db.updateTable('outbox').set({ kind: 'answer', content }).where('id', '=', 4).execute()

    const env = {
      ...site.context.env,
      SMTP_URL: relay.url,
      IMAP_URL: 'imaps://u:p@mail.example',
      INBOX,
      EMAILS_A_DAY: 0,
      webhook: { url: 'http://127.0.0.1:1/', secret: webhookSecret },
    }
    const outbox = createOutbox({ ...site.context, env }, 'smtp')
    await outbox.start()
    await expect.poll(states).toEqual(Array(4).fill('sent'))
    await outbox.stop()
    expect((await deliveryLog()).filter(({ outcome }) => outcome === 'retry')).toHaveLength(4)
    const emails = await Promise.all(relay.emails.map((_bytes, index) => relay.read(index)))
    expect(emails.some(({ text }) => text?.includes('/inbox'))).toBe(INBOX === 'on')
    const unaddressed = emails.filter(({ replyTo }) => !replyTo)
    expect(unaddressed.map(({ subject }) => subject?.slice(0, 12))).toEqual(
      Array(toMailbox).fill('Your request'),
    )
  },
)
