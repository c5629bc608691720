import Sqlite from 'better-sqlite3'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWriteTogether } from '../database/write-together.ts'
import { createDelivery } from '../delivery.ts'
import type { Mail } from '../mail/mailer.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { isOnPostgres } from '../proof/testing/open-test-database.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { MAIL_PATIENCE_MS, readMailHealth } from './backlog.ts'
import type { Job } from './email.ts'
import { enqueue } from './enqueue.ts'
import { createOutboxStore } from './outbox-store.ts'
import { createOutboxWorker } from './outbox-worker.ts'
import { requeueFailed } from './requeue.ts'
import { requeueWritten } from './way-out.ts'

const MINUTE_MS = 60_000
const smtp = (responseCode: number, command: string) =>
  Object.assign(new Error('no'), { responseCode, command, response: `${responseCode} no` })

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const submit = (message: string) =>
  site.submitLead(sampleRequest({ message }), { client: 'c', idempotencyKey: null })
const rows = () => site.db.selectFrom('outbox').selectAll().orderBy('id').execute()
const ledger = () => site.db.selectFrom('outbox_attempts').selectAll().execute()
const pass = (milliseconds: number) => {
  site.clock.now = new Date(site.clock.now.getTime() + milliseconds)
}

type Send = (mail: Mail, signal: AbortSignal, job: Job) => Promise<string>

const place = { mailFrom: { address: 'site@plumbline.example' }, siteUrl: 'https://plumbline.example' }
const hang: Send = (_mail, signal) =>
  new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))

function startWorker(send: Send) {
  return createOutboxWorker({
    outbox: site.outbox,
    deliver: (job, signal) => send({} as never, signal, job),
    log: pino({ level: 'silent' }),
    now: () => site.clock.now,
    random: () => 0.5,
  })
}

/** Lets a worker do what is due now, and stops it when nothing is left to do. */
async function deliver(send: Send) {
  const worker = startWorker(send)
  worker.wake()
  await expect.poll(async () => (await rows()).filter(isInHand)).toEqual([])
  await worker.stop()
}

const isInHand = ({ state, due_at }: { state: string; due_at: string }) => {
  const wait = Date.parse(due_at) - site.clock.now.getTime()
  return state === 'sending' || (state === 'queued' && (wait <= 0 || wait > 180 * MINUTE_MS))
}

test('a mail that the server took is sent, and its reply stands in the ledger', async () => {
  await submit('1')

  await deliver(async () => '250 2.0.0 queued as 42')

  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1, sent_at: site.clock.now.toISOString() }])
  expect(await ledger()).toMatchObject([
    { outcome: 'sent', smtp_code: 250, response: '250 2.0.0 queued as 42' },
  ])
})

test('a mail that failed is tried again after a minute, and not before', async () => {
  await submit('1')
  let calls = 0
  const send = async () => {
    if (++calls === 1) throw smtp(451, 'RCPT TO')
    return '250 ok'
  }

  await deliver(send)
  pass(MINUTE_MS - 1)
  await deliver(send)
  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 1 }])
  pass(1)
  await deliver(send)

  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2 }])
  expect((await ledger()).map((attempt) => [attempt.outcome, attempt.smtp_code])).toEqual([
    ['retry', 451],
    ['sent', 250],
  ])
})

test.each([
  ['RCPT TO', 550, 'queued'],
  ['DATA', 554, 'queued'],
  ['RCPT TO', 503, 'queued'],
  ['RCPT TO', 999, 'queued'],
  ['RCPT TO', 450, 'queued'],
  ['RCPT TO', 530, 'queued'],
  ['MAIL FROM', 553, 'queued'],
  ['AUTH PLAIN', 535, 'queued'],
  ['CONN', 554, 'queued'],
])('a reply to %s with %i leaves the mail %s', async (command, code, state) => {
  await submit('1')

  await deliver(async () => {
    throw smtp(code, command)
  })

  expect(await rows()).toMatchObject([{ state, attempts: 1 }])
})

test('what is no code of three digits is noted as none', async () => {
  await submit('taken')
  await submit('refused')
  let calls = 0

  await deliver(async () => {
    if (++calls === 1) return '25000000000 fine'
    throw smtp(55_000_000_000, 'RCPT TO')
  })

  expect((await rows()).map(({ state }) => state).toSorted()).toEqual(['queued', 'sent'])
  expect((await ledger()).map(({ smtp_code }) => smtp_code)).toEqual([null, null])
})

test('an unknown mailbox is given up at once', async () => {
  await submit('1')

  await deliver(async () => {
    throw Object.assign(smtp(550, 'RCPT TO'), { response: '550 5.1.1 no such user' })
  })

  expect(await rows()).toMatchObject([{ state: 'failed', attempts: 1 }])
})

test('kills use up attempts, not the five days', async () => {
  await submit('1')
  await site.db.updateTable('outbox').set({ attempts: 100 }).execute()

  await deliver(async () => {
    throw new Error('connection refused')
  })

  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 101 }])
})

test('a send that ignores its signal does not keep its lane', async () => {
  await submit('1')
  const realTimeout = globalThis.setTimeout
  const deadlines: (() => void)[] = []
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number) =>
    ms > 10 * MINUTE_MS ? deadlines.push(work) : realTimeout(work, ms)) as typeof setTimeout)
  const worker = startWorker(() => new Promise(() => {}))
  worker.wake()
  await expect.poll(() => deadlines.length).toBe(1)

  deadlines[0]?.()

  await expect.poll(async () => (await rows())[0]?.state).toBe('queued')
  expect(await ledger()).toMatchObject([{ outcome: 'retry', response: 'The send did not end in time.' }])
  await worker.stop()
})

test('a reply is kept up to two thousand characters', async () => {
  await submit('1')

  await deliver(async () => `250 ${'x'.repeat(900_000)}`)

  expect((await ledger())[0]?.response).toHaveLength(2000)
})

test('a late answer about an erased email does not settle the one that got its id', async () => {
  await submit('erased')
  const stale = await site.outbox.claimNext(site.clock.now)
  await site.db.deleteFrom('leads').execute()
  await submit('new')
  await site.db
    .updateTable('outbox')
    .set({ id: stale?.id ?? 0 })
    .execute()

  if (stale) await site.outbox.recordSent(stale, site.clock.now, { smtpCode: 250, response: '250 ok' })

  expect(await rows()).toMatchObject([{ state: 'queued' }])
  expect(await ledger()).toEqual([])
})

test('an email of a kind that this version does not know stays queued, and health shows it', async () => {
  await submit('1')
  await site.db
    .updateTable('outbox')
    .set({ kind: 'from_the_future' as never })
    .execute()
  const deliverAny = createDelivery({
    leads: {} as never,
    mailer: {} as never,
    now: () => site.clock.now,
    ...place,
  })

  await deliver((_mail, signal, job) => deliverAny(job, signal))
  pass(16 * MINUTE_MS)

  expect(await rows()).toMatchObject([{ state: 'queued' }])
  expect((await ledger())[0]?.response).toContain('cannot write emails of the kind from_the_future')
  expect(await readMailHealth(site.db, new Date(site.clock.now.getTime() - MAIL_PATIENCE_MS))).toBe('waiting')
})

test('a mail is given up five days on, and then kept', async () => {
  await submit('1')
  const start = site.clock.now.getTime()
  let lastAt = 0
  for (let round = 0; round < 200; round++) {
    await deliver(async () => {
      lastAt = site.clock.now.getTime()
      throw new Error('connection refused')
    })
    const [mail] = await rows()
    if (mail?.state === 'failed') break
    site.clock.now = new Date(mail?.due_at ?? 0)
  }

  expect(await rows()).toMatchObject([{ state: 'failed' }])
  const days = (lastAt - start) / (24 * 60 * MINUTE_MS)
  expect(days).toBeGreaterThan(4.8)
  expect(days).toBeLessThanOrEqual(5)
})

test('a clock that jumps neither expires mails nor leaves them stuck', async () => {
  await submit('1')
  const refuse = async () => {
    throw new Error('connection refused')
  }

  await deliver(refuse)
  pass(365 * 24 * 60 * MINUTE_MS)
  await deliver(refuse)
  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 2 }])
  pass(-366 * 24 * 60 * MINUTE_MS)
  await deliver(async () => '250 ok')

  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 3 }])
})

test('one mail that hangs does not hold up the others', async () => {
  for (const message of ['1', '2', '3', '4', '5', '6']) await submit(message)
  let isFirst = true
  const worker = startWorker(async (_mail, signal) => {
    if (!isFirst) return '250 ok'
    isFirst = false
    return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  })

  worker.wake()

  await expect.poll(async () => (await rows()).filter((mail) => mail.state === 'sent').length).toBe(5)
  await worker.stop()
})

test('what becomes due is found by the poll, without a new request', async () => {
  await submit('1')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const worker = startWorker(async () => '250 ok')
  const due = site.clock.now
  site.clock.now = new Date(due.getTime() - 1)
  await worker.start()
  await site.db.updateTable('outbox').set({ due_at: due.toISOString() }).execute()
  site.clock.now = due

  vi.advanceTimersByTime(5_000)
  vi.useRealTimers()

  await expect.poll(async () => (await rows())[0]?.state).toBe('sent')
  await worker.stop()
})

test('what a stop cuts off is due again at once, and that attempt does not count', async () => {
  await submit('1')
  const worker = startWorker(hang)
  worker.wake()
  await expect.poll(async () => (await rows())[0]?.state).toBe('sending')

  await worker.stop()

  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0, due_at: site.clock.now.toISOString() }])
  expect(await ledger()).toMatchObject([{ outcome: 'interrupted' }])
})

test('a claim lapses after two minutes, or at once when the server starts again: that attempt does not count', async () => {
  await submit('1')
  const claim = () => site.outbox.claimNext(site.clock.now)

  expect(await claim()).toMatchObject({ attempts: 1 })
  pass(2 * MINUTE_MS - 1)
  expect(await claim()).toBeUndefined()
  pass(1)
  expect(await claim()).toMatchObject({ attempts: 2 })
  await site.outbox.releaseAll(site.clock.now)
  // With PostgreSQL it may be another replica's.
  expect(await claim()).toEqual(isOnPostgres ? undefined : expect.objectContaining({ attempts: 2 }))
})

test('whose claim has lapsed may say that the mail is out, and nothing else', async () => {
  await submit('1')
  const reply = { smtpCode: null, response: '' }
  const stale = await site.outbox.claimNext(site.clock.now)
  pass(2 * MINUTE_MS)
  const current = await site.outbox.claimNext(site.clock.now)
  if (!stale || !current) throw new Error('not claimed')
  const inHand = await rows()

  await site.outbox.recordInterrupted(stale, site.clock.now)
  await site.outbox.recordRetry(stale, site.clock.now, reply, MINUTE_MS)
  await site.outbox.recordFailed(stale, site.clock.now, reply)
  expect([await rows(), await ledger()]).toEqual([inHand, []])

  await site.outbox.recordSent(stale, site.clock.now, reply)
  await site.outbox.recordRetry(current, site.clock.now, reply, MINUTE_MS)
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 2 }])
  expect(await ledger()).toMatchObject([{ outcome: 'sent' }])
})

test.skipIf(isOnPostgres)('a short lock does not make a mail that is out go out again', async () => {
  await submit('1')
  const foreign = new Sqlite(`${site.dataDir}/leads.db`)
  const worker = startWorker(async () => {
    foreign.exec('begin immediate')
    setTimeout(() => foreign.exec('rollback'), 700)
    return '250 ok'
  })

  worker.wake()

  await expect.poll(async () => (await rows())[0]?.state, { timeout: 5000 }).toBe('sent')
  foreign.close()
  await worker.stop()
})

test('a mail that is out but could not be recorded waits for the end of its lease', async () => {
  await submit('1')
  const worker = startWorker(async () => {
    await site.db.schema.alterTable('outbox_attempts').renameTo('gone').execute()
    return '250 ok'
  })

  worker.wake()
  await expect.poll(async () => (await rows())[0]?.state).toBe('sending')
  await worker.stop()

  expect(await rows()).toMatchObject([{ state: 'sending', attempts: 1 }])
})

test('after a change of MAIL_TO everything for the owner goes to the new mailbox, whenever it was queued again', async () => {
  for (const message of ['given up', 'queued', 'sent']) await submit(message)
  const former = async () => site.outbox.claimNext(site.clock.now)
  const [first, second, third] = [await former(), await former(), await former()]
  if (first)
    await site.outbox.recordFailed(first, site.clock.now, { smtpCode: 550, response: '550 5.1.1 who?' })
  if (second) await site.outbox.recordInterrupted(second, site.clock.now)
  if (third)
    await site.outbox.recordSent(third, site.clock.now, { smtpCode: null, response: 'written to a.eml' })
  await enqueue(
    site.db,
    [{ kind: 'visitor_receipt', recipient: 'ada@example.com', messageId: '<r>' }],
    site.clock.now,
  )
  const sentTo: string[] = []
  const worker = createOutboxWorker({
    outbox: createOutboxStore(site.db, createWriteTogether(site.db), [
      'new@plumbline.example',
      'b@plumbline.example',
    ]),
    deliver: async ({ recipient }) => {
      sentTo.push(recipient)
      return '250 ok'
    },
    log: pino({ level: 'silent' }),
    now: () => site.clock.now,
    random: () => 0.5,
  })

  await requeueFailed(site.db, undefined, site.clock.now)
  await requeueWritten(site.db, () => site.clock.now, new AbortController().signal)
  await worker.start()
  await expect.poll(() => sentTo).toHaveLength(4)
  await worker.stop()

  expect(sentTo.toSorted()).toEqual(['ada@example.com', ...Array(3).fill('new@plumbline.example')])
  const readdressed = (await ledger()).filter(({ outcome }) => outcome === 'readdressed')
  expect(readdressed.map(({ response }) => response)).toEqual(Array(3).fill('owner@plumbline.example'))
})

test('a worker that is held claims nothing and says so', async () => {
  await submit('1')
  const worker = createOutboxWorker({
    outbox: site.outbox,
    deliver: async () => '250 ok',
    log: pino({ level: 'silent' }),
    now: () => site.clock.now,
    random: () => 0.5,
    isHeld: true,
  })

  await worker.start()
  worker.wake()
  await worker.stop()

  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0 }])
  expect(worker.isStalled()).toBe(true)
})

test('a server that is away is not asked about everything that waits, but about each new lead', async () => {
  for (const message of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) await submit(message)
  let asked = 0
  const worker = startWorker(async () => {
    asked++
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', command: 'CONN' })
  })
  await worker.start()
  await expect.poll(async () => (await rows()).filter(isInHand).length).toBeLessThan(9)
  // Those that were claimed at the same time.
  await expect.poll(async () => (await rows()).filter(({ state }) => state === 'sending')).toEqual([])
  const before = asked

  await submit('new')
  worker.wake()

  await expect.poll(() => asked).toBe(before + 1)
  await worker.stop()
  expect(before).toBeLessThan(9)
  expect((await rows()).at(-1)).toMatchObject({ attempts: 1 })
})

// The pool of PostgreSQL has timers of its own.
test.skipIf(isOnPostgres)('no deadline is left behind by what was sent', async () => {
  const active = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = active()
  for (const message of ['1', '2', '3']) await submit(message)

  await deliver(async () => '250 ok')

  expect(active()).toBeLessThanOrEqual(before + 1)
})
