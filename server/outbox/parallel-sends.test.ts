import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import type { EmailKind } from '../database/schema.ts'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import { type Email, enqueue, priorities } from './email.ts'
import { emailsFor } from './outbox-worker.ts'

const MINUTE_MS = 60_000

const site = useTestApp()

const { deliveryLog, rows, startWorker, submit } = outboxTools(site)

const { urgent, owner, low } = priorities

testOnce.each([
  [[], low],
  [[low], owner],
  [[owner], low],
  [[owner, low], urgent],
  [[owner, owner], urgent],
  [[urgent, urgent], low],
  [[urgent, owner, low], undefined],
  [[urgent, urgent, urgent], undefined],
])(
  'while emails of the priorities %j are being sent, the lowest priority of the next is %s',
  (running, expected) => {
    expect(emailsFor(running.map((priority) => ({ priority }) as Email))).toBe(expected)
  },
)

test('if a send ignores its abort signal at the deadline, the worker queues the email for a retry', async () => {
  await submit('1')
  const realTimeout = globalThis.setTimeout
  const deadlines: (() => void)[] = []
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms: number) =>
    ms > 5 * MINUTE_MS ? deadlines.push(work) : realTimeout(work, ms)) as typeof setTimeout)
  const worker = startWorker(() => new Promise(() => {}))
  worker.start()
  await expect.poll(() => deadlines.length).toBe(1)

  deadlines[0]?.()

  await expect.poll(async () => (await rows())[0]?.state).toBe('queued')
  expect(await deliveryLog()).toMatchObject([{ outcome: 'retry', response: 'The send did not end in time.' }])
  await worker.stop()
})

test('while the mail server is down, there is one attempt every five seconds, even if one of them shows nothing; then, all emails go out', async () => {
  let now = 1
  let isDown = true
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  for (const message of ['1', '2', '3', '4', '5']) await submit(message)
  const times: number[] = []
  const worker = startWorker(async () => {
    times.push(now)
    if (!isDown) return '250 ok'
    if (times.length === 3) return { unsent: 'too late' }
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', command: 'CONN' })
  })
  expect(worker.isStalled()).toBe(true)

  worker.start()
  for (; times.length < 4; now += 500) {
    worker.wake()
    await sleep(5)
  }
  isDown = false
  now += 5_000
  site.advanceClock(2 * MINUTE_MS)
  worker.wake()
  const isAllSent = async () => (await rows()).every(({ state }) => state !== 'queued' && state !== 'sending')
  for (let tries = 0; tries < 1000 && !(await isAllSent()); tries++) await sleep(5)
  expect([await isAllSent(), worker.isStalled()]).toEqual([true, false])
  now += MINUTE_MS + 1
  expect(worker.isStalled()).toBe(true)
  worker.wake()
  await worker.stop()
  expect(worker.isStalled()).toBe(false)

  // The first two start together.
  const waits = times.slice(2, 4).map((time, index) => time - (times[index + 1] ?? 0))
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(5_000)
})

test('an email that another process has queued is noticed within a second, also after the database has failed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const claim = vi.fn(site.outbox.claim).mockRejectedValueOnce(new Error('injected'))
  const worker = startWorker(async () => '250 ok', { outbox: { ...site.outbox, claim } })
  worker.start()
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  expect(worker.isStalled()).toBe(true)
  await submit('1')

  vi.advanceTimersByTime(1_001)
  vi.useRealTimers()

  await expect.poll(async () => (await rows())[0]?.state).toBe('sent')
  await worker.stop()
})

test('what is being sent, or can only now be recorded, is not sent again when the clock jumps ahead', async () => {
  await submit('1')
  const record = vi.fn(site.outbox.record).mockRejectedValueOnce(new Error('disk full'))
  const sends: (() => void)[] = []
  const send = () => new Promise<string>((done) => sends.push(() => done('250 ok')))
  const worker = startWorker(send, { outbox: { ...site.outbox, record } })
  worker.start()
  await expect.poll(() => sends.length).toBe(1)

  site.advanceClock(60 * MINUTE_MS)
  worker.wake()
  await sleep(100)
  sends[0]?.()
  await expect.poll(() => record.mock.calls.length).toBe(1)
  worker.wake()
  await expect.poll(async () => (await rows())[0]?.state, { timeout: 5000 }).toBe('sent')

  expect([sends.length, await deliveryLog()]).toMatchObject([1, [{ outcome: 'sent' }]])
  await worker.stop()
})

const queue = async (kind: EmailKind, name: string, isSuspect = false) => {
  await enqueue(site.db, [{ kind, recipient: 'x@example.com', messageId: name, isSuspect }], site.clock.now)
  site.advanceClock(1000)
}

/** Claims all due emails, and returns their names in the order of the claims. */
const order = async (lowest?: number) => {
  const names: string[] = []
  for (;;) {
    const email = await site.outbox.claim(site.clock.now, lowest)
    if (!email) return names
    names.push(email.messageId)
  }
}

test('codes and answers are sent first, then emails to the owner, then receipts and suspects; of each, the newest first', async () => {
  const urgent = ['answer_trouble', 'answer_copy', 'sign_in', 'answer'] as const
  for (const kind of ['visitor_receipt', 'reminder', 'owner_notice', ...urgent] as const)
    for (const age of ['old', 'new']) await queue(kind, `${age} ${kind}`)
  await queue('owner_notice', 'suspect', true)

  expect(await order(priorities.urgent)).toEqual(
    urgent.toReversed().flatMap((kind) => [`new ${kind}`, `old ${kind}`]),
  )
  expect(await order()).toEqual([
    ...['new owner_notice', 'old owner_notice', 'new reminder', 'old reminder'],
    ...['suspect', 'new visitor_receipt', 'old visitor_receipt'],
  ])
})
