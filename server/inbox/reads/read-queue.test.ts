import { expect, test, vi } from 'vitest'
import { createReadQueue } from './read-queue.ts'

const never = new AbortController().signal
const limits = { atOnce: 1, maxWaiting: 10, maxWaitMs: 10_000 }

/** A read that ends when the test calls `end`. */
function work() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { run: vi.fn(() => promise), end: resolve }
}

test('reads run one after another, in the order in which they were queued', async () => {
  const enqueue = createReadQueue(limits)
  const [first, second, third] = [work(), work(), work()]
  const all = [first, second, third].map(({ run }) => enqueue(run, never))

  first.end()
  await all[0]
  await vi.waitFor(() => expect(second.run).toHaveBeenCalledOnce())
  expect(third.run).not.toHaveBeenCalled()
  second.end()
  third.end()
  await Promise.all(all)
  expect(third.run).toHaveBeenCalledOnce()
})

test('of 1000 simultaneous reads, those beyond the limit are rejected with Retry-After', async () => {
  const enqueue = createReadQueue(limits)
  const first = work()

  const all = Array.from({ length: 1000 }, () => enqueue(first.run, never))
  first.end()
  const results = await Promise.allSettled(all)

  const refused = results.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(1000 - 11)
  expect(refused[0]).toMatchObject({ reason: { status: 503, headers: { 'Retry-After': '5' } } })
})

test('a client that disconnects frees its place in the queue, and its read never runs', async () => {
  const enqueue = createReadQueue({ ...limits, maxWaiting: 1 })
  const [first, left, last] = [work(), work(), work()]
  const gone = new AbortController()
  const firstEnded = enqueue(first.run, never)
  const leaving = enqueue(left.run, gone.signal)
  gone.abort()
  await expect(leaving).rejects.toMatchObject({ code: 'busy' })

  const lastEnded = enqueue(last.run, never)
  first.end()
  last.end()
  await Promise.all([firstEnded, lastEnded])

  expect(left.run).not.toHaveBeenCalled()
})

test('a failed read does not block the next one', async () => {
  const enqueue = createReadQueue(limits)

  await expect(enqueue(() => Promise.reject(new Error('broken')), never)).rejects.toThrow('broken')

  expect(await enqueue(async () => 'done', never)).toBe('done')
})

test('if a client disconnects just as its turn comes, the next read still runs', async () => {
  for (let microtasks = 0; microtasks < 10; microtasks++) {
    const enqueue = createReadQueue({ ...limits, maxWaitMs: 500 })
    const first = work()
    const gone = new AbortController()
    const all = [enqueue(first.run, never), enqueue(async () => {}, gone.signal).catch(() => {})]

    first.end()
    for (let count = 0; count < microtasks; count++) await null
    gone.abort()
    await Promise.all(all)

    expect(await enqueue(async () => 'done', never)).toBe('done')
  }
})

test('no read waits longer than the limit', async () => {
  const enqueue = createReadQueue({ ...limits, maxWaitMs: 20 })
  const first = work()
  const firstEnded = enqueue(first.run, never)

  await expect(enqueue(first.run, never)).rejects.toMatchObject({ code: 'busy' })

  first.end()
  await firstEnded
})
