import { expect, test, vi } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { outboxTools, type Send } from '../proof/testing/outbox-tools.ts'
import { speedUpTimers } from '../proof/testing/speed-up-timers.ts'
import type { Email } from './email.ts'
import { priorities } from './email.ts'
import { enqueue } from './enqueue.ts'
import { emailsFor } from './outbox-worker.ts'

const MINUTE_MS = 60_000

const site = useTestApp()
const { deliveryLog, isDue, rows, startWorker, submit } = outboxTools(site)

const hang: Send = (_email, signal) =>
  new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
const refuseConnection = async () => {
  throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ESOCKET', command: 'CONN' })
}
const inState = async (wanted: string) => (await rows()).filter(({ state }) => state === wanted)

const { urgent, owner, low } = priorities
test.each([
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

test('an email that hangs does not delay the others', async () => {
  for (const message of ['1', '2', '3', '4', '5', '6']) await submit(message)
  let count = 0
  const worker = startWorker(async (email, signal) => (count++ === 0 ? hang(email, signal) : '250 ok'))

  worker.start()

  await expect.poll(() => inState('sent')).toHaveLength(5)
  await worker.stop()
})

test('however many receipts and notices hang, a code is sent at once', async () => {
  for (const message of ['1', '2', '3', '4']) await submit(message)
  const email = { recipient: 'x@example.com', content: '{}' }
  await enqueue(site.db, [{ ...email, kind: 'visitor_receipt', messageId: '<r>' }], site.clock.now)
  const worker = startWorker(async (email, signal) =>
    email.kind === 'sign_in' ? '250 ok' : hang(email, signal),
  )
  worker.start()
  await expect.poll(() => inState('sending')).toHaveLength(2)

  await enqueue(site.db, [{ ...email, kind: 'sign_in', messageId: '<c>' }], site.clock.now)
  worker.wake()

  await expect.poll(async () => (await rows()).some(({ kind }) => kind === 'sign_in')).toBe(false)
  await worker.stop()
})

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

test('while the mail server is down, the next attempt after a pause is for the newest lead, and the others wait', async () => {
  speedUpTimers(20)
  await submit('first')
  const worker = startWorker(refuseConnection)
  worker.start()
  await expect.poll(deliveryLog).toHaveLength(1)
  for (const message of ['1', '2', '3']) await submit(message)

  site.advanceClock(1)
  await submit('new')
  worker.wake()

  await expect.poll(deliveryLog, { timeout: 9_000 }).toHaveLength(2)
  expect((await rows()).map(({ attempts }) => attempts)).toEqual([1, 0, 0, 0, 1])
  await worker.stop()
})

test('while the mail server is down, there is one attempt every five seconds', async () => {
  speedUpTimers(20)
  for (const message of ['1', '2', '3', '4', '5']) await submit(message)
  const times: number[] = []
  const worker = startWorker(() => {
    times.push(performance.now())
    return refuseConnection()
  })

  worker.start()
  await expect.poll(() => times.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(4)
  await worker.stop()

  // The first two start together.
  const waits = times.slice(2).map((time, index) => time - (times[index + 1] ?? 0))
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(4_900)
})

test('as soon as the mail server works again, everything that is due is sent', async () => {
  let isUp = false
  const worker = startWorker(async () => (isUp ? '250 ok' : refuseConnection()))
  worker.start()
  for (const message of ['1', '2', '3', '4']) await submit(message)
  worker.wake()
  await expect.poll(deliveryLog).not.toEqual([])

  isUp = true
  await submit('new')
  worker.wake()

  await expect.poll(async () => (await rows()).filter(isDue)).toEqual([])
  expect((await inState('sent')).length).toBeGreaterThanOrEqual(3)
  await worker.stop()
})

test('an email that another process has queued is noticed within a second', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const worker = startWorker(async () => '250 ok')
  worker.start()
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  await submit('1')

  vi.advanceTimersByTime(1_001)
  vi.useRealTimers()

  await expect.poll(async () => (await rows())[0]?.state).toBe('sent')
  await worker.stop()
})

test('an email that is due later is sent about a second after that time at the latest', async () => {
  const now = () => new Date()
  const times: number[] = []
  const worker = startWorker(async () => `250 ${times.push(Date.now())}`, { now })
  const dueAt = new Date(Date.now() + 700)
  await enqueue(site.db, [{ kind: 'digest', recipient: 'x@example.com', messageId: '<d>' }], dueAt)

  worker.start()

  await expect.poll(() => times, { timeout: 3_000 }).toHaveLength(1)
  expect((times[0] ?? 0) - dueAt.getTime()).toBeGreaterThanOrEqual(0)
  expect((times[0] ?? 0) - dueAt.getTime()).toBeLessThan(1_500)
  await worker.stop()
})

test('a worker that was not started claims nothing and reports that it is stalled', async () => {
  await submit('1')
  const worker = startWorker(async () => '250 ok')

  worker.wake()
  await worker.stop()

  expect(await rows()).toMatchObject([{ state: 'queued', attempts: 0 }])
  expect(worker.isStalled()).toBe(true)
})
