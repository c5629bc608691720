import { expect, test, vi } from 'vitest'
import { createGroupCommit } from '../database/group-commit.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail } from '../proof/testing/claim-email.ts'
import { outboxTools } from '../proof/testing/outbox-tools.ts'
import { requeueWritten } from './delivery-mode.ts'
import type { Job } from './email.ts'
import { enqueue } from './enqueue.ts'
import { createOutboxStore } from './outbox-store.ts'
import { requeueFailed } from './requeue.ts'

const MINUTE_MS = 60_000

const site = useTestApp()

const { deliveryLog, isDue, rows, startWorker, submit } = outboxTools(site)

test('if a send ignores its abort signal at the deadline, the worker queues the email for a retry', async () => {
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
  expect(await deliveryLog()).toMatchObject([{ outcome: 'retry', response: 'The send did not end in time.' }])
  await worker.stop()
})

test('an email that hangs does not block the others', async () => {
  for (const message of ['1', '2', '3', '4', '5', '6']) await submit(message)
  let isFirst = true
  const worker = startWorker(async (_job, signal) => {
    if (!isFirst) return '250 ok'
    isFirst = false
    return new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  })

  worker.wake()

  await expect.poll(async () => (await rows()).filter(({ state }) => state === 'sent').length).toBe(5)
  await worker.stop()
})

test('while many visitors wait for a response, each email waits, too, but for at most a second', async () => {
  await submit('1')
  await submit('2')
  let isCrowded = true
  let checks = 0
  const worker = startWorker(async () => '250 ok', { isCrowded: () => ++checks > 0 && isCrowded })
  const sent = async () => (await rows()).filter(({ state }) => state === 'sent').length
  worker.wake()
  await expect.poll(() => checks).toBeGreaterThan(1)
  const sentInCrowd = await sent()

  // Pretend that the first email has waited for a second.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_001)
  await expect.poll(sent).toBeGreaterThan(0)
  isCrowded = false
  await expect.poll(sent).toBe(2)

  expect(sentInCrowd).toBe(0)
  await worker.stop()
})

test('polling finds emails that become due', async () => {
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

test('after MAIL_TO changes, all emails to the owner go to the new mailbox', async () => {
  for (const message of ['given up', 'queued', 'sent']) await submit(message)
  const [first, second, third] = [await claimEmail(site), await claimEmail(site), await claimEmail(site)]
  await site.outbox.recordFailed(first, site.clock.now, { smtpCode: 550, response: '550 5.1.1 who?' })
  await site.outbox.recordInterrupted(second, site.clock.now)
  await site.outbox.recordSent(third, site.clock.now, { smtpCode: null, response: 'written to a.eml' })
  await enqueue(
    site.db,
    [{ kind: 'visitor_receipt', recipient: 'ada@example.com', messageId: '<r>' }],
    site.clock.now,
  )
  const sentTo: string[] = []
  const mailTo = ['new@agency.example', 'b@agency.example']
  const send = async ({ recipient }: Job) => {
    sentTo.push(recipient)
    return '250 ok'
  }
  const worker = startWorker(send, {
    outbox: createOutboxStore(site.db, createGroupCommit(site.db), mailTo),
  })

  await requeueFailed(site.db, undefined, site.clock.now)
  await requeueWritten(site.db, () => site.clock.now, new AbortController().signal)
  await worker.start()
  await expect.poll(() => sentTo).toHaveLength(4)
  await worker.stop()

  expect(sentTo.toSorted()).toEqual(['ada@example.com', ...Array(3).fill('new@agency.example')])
  const readdressed = (await deliveryLog()).filter(({ outcome }) => outcome === 'readdressed')
  expect(readdressed.map(({ response }) => response)).toEqual(Array(3).fill('owner@agency.example'))
})

test('while emails are held, the worker claims none and reports that it is stalled', async () => {
  await submit('1')
  const worker = startWorker(async () => '250 ok', { isHeld: true })

  await worker.start()
  worker.wake()
  await worker.stop()

  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0 }])
  expect(worker.isStalled()).toBe(true)
})

test('while the mail server is down, the worker tries to send only notices of new leads', async () => {
  for (const message of ['1', '2', '3', '4', '5', '6', '7', '8', '9']) await submit(message)
  let attempts = 0
  const worker = startWorker(async () => {
    attempts++
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', command: 'CONN' })
  })
  await worker.start()
  await expect.poll(async () => (await rows()).filter(isDue).length).toBeLessThan(9)
  // Wait until the other attempts that started at the same time have failed, too.
  await expect.poll(async () => (await rows()).filter(({ state }) => state === 'sending')).toEqual([])
  const before = attempts

  await submit('new')
  worker.wake()

  await expect.poll(() => attempts).toBe(before + 1)
  await worker.stop()
  expect(before).toBeLessThan(9)
  expect((await rows()).at(-1)).toMatchObject({ attempts: 1 })
})
