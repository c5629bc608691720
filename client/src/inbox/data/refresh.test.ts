import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRefresh } from './refresh.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Creates a refresh whose rounds of fetching end when the test says so. */
function setUp() {
  const rounds: ((isDone: boolean) => void)[] = []
  const others = { isFetching: false }
  const refresh = createRefresh({
    fetchAll: () => new Promise((done) => rounds.push(done)),
    isFetching: () => others.isFetching,
    retryInMs: () => 500,
  })
  const end = (isDone = true) => {
    rounds.at(-1)?.(isDone)
    return vi.advanceTimersByTimeAsync(0)
  }
  return { refresh, rounds, end, others }
}

test('several changes during a round of fetching cause only one more round', async () => {
  const { refresh, rounds, end } = setUp()
  refresh.now()
  for (let count = 0; count < 5; count++) refresh.now()
  expect(rounds).toHaveLength(1)

  await end()
  await end()

  expect(rounds).toHaveLength(2)
})

test('a second after a change, the page is marked as out of date until everything is fetched', async () => {
  const { refresh, end } = setUp()
  refresh.now()
  vi.advanceTimersByTime(999)
  expect(refresh.isBehind.get()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(refresh.isBehind.get()).toBe(true)

  await end()

  expect(refresh.isBehind.get()).toBe(false)
})

test('if changes may have been missed, the page is marked as out of date at once', () => {
  const { refresh } = setUp()

  refresh.afterGap()

  expect(refresh.isBehind.get()).toBe(true)
})

test('a failed round of fetching is retried, and the page is marked as out of date until the retry succeeds', async () => {
  const { refresh, rounds, end } = setUp()
  refresh.now()

  await end(false)
  expect(refresh.isBehind.get()).toBe(true)
  await vi.advanceTimersByTimeAsync(500)
  await end()

  expect([rounds.length, refresh.isBehind.get()]).toEqual([2, false])
})

test('data that was already being fetched when a change was reported is fetched again', async () => {
  const { refresh, rounds, end, others } = setUp()
  others.isFetching = true
  refresh.now()
  others.isFetching = false

  await end()
  await end()

  expect(rounds).toHaveLength(2)
})

test('nothing is fetched while a change is being sent', async () => {
  const { refresh, rounds, end } = setUp()
  const release = refresh.hold()
  refresh.now()
  await vi.advanceTimersByTimeAsync(5000)
  expect(rounds).toHaveLength(0)

  release()
  await end()

  expect([rounds.length, refresh.isBehind.get()]).toEqual([1, false])
})

test('if a change is reported while another is being sent, the page is marked as out of date a second later', async () => {
  const { refresh, end } = setUp()
  const release = refresh.hold()
  await vi.advanceTimersByTimeAsync(5000)
  expect(refresh.isBehind.get()).toBe(false)

  refresh.now()
  await vi.advanceTimersByTimeAsync(999)
  expect(refresh.isBehind.get()).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(refresh.isBehind.get()).toBe(true)

  release()
  await end()
  expect(refresh.isBehind.get()).toBe(false)
})

test('if sending a change interrupts a round of fetching, the page is marked as out of date a second later', async () => {
  const { refresh, end } = setUp()
  refresh.now()
  refresh.hold()
  await end()

  await vi.advanceTimersByTimeAsync(1000)

  expect(refresh.isBehind.get()).toBe(true)
})

test('while two changes are being sent, nothing is fetched until both have finished', async () => {
  const { refresh, rounds, end } = setUp()
  const releases = [refresh.hold(), refresh.hold()]
  releases[0]?.()
  await vi.advanceTimersByTimeAsync(5000)
  expect([rounds.length, refresh.isBehind.get()]).toEqual([0, false])

  releases[1]?.()
  await end()

  expect([rounds.length, refresh.isBehind.get()]).toEqual([1, false])
})
