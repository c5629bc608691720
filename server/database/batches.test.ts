import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { createBatches } from './batches.ts'
import { StorageUnavailable } from './storage-error.ts'

/** The batches that have started. For each, `ends` has a function that makes it succeed or fail. */
let batches: (readonly string[])[]
let ends: ((error?: Error) => void)[]
beforeEach(() => {
  batches = []
  ends = []
})

const createAdd = () =>
  createBatches(
    (items: readonly string[]) =>
      new Promise<string[]>((resolve, reject) => {
        batches.push(items)
        ends.push((error) => (error ? reject(error) : resolve(items.map((item) => `${item} done`))))
      }),
  )

const idle = async () => {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

async function endAll() {
  for (await idle(); ends.length > 0; await idle()) ends.shift()?.()
}

test('items that arrive together run as one batch, and each gets its own result', async () => {
  const add = createAdd()
  const results = Promise.all(['a1', 'b1', 'c1'].map(add))
  await endAll()

  expect(await results).toEqual(['a1 done', 'b1 done', 'c1 done'])
  expect(batches).toEqual([['a1', 'b1', 'c1']])
})

test('while a batch runs, other items wait for the next one', async () => {
  const add = createAdd()
  const results = ['a1', 'b1'].map(add)
  await idle()
  results.push(add('c1'), add('d1'))
  await idle()
  const running = [...batches]
  await endAll()
  await Promise.all(results)

  expect(running).toEqual([['a1', 'b1']])
  expect(batches[1]).toEqual(['c1', 'd1'])
})

test('a batch has at most 64 items', async () => {
  const add = createAdd()
  const results = Promise.all(Array.from({ length: 100 }, (_, index) => add(`${index}`)))
  await endAll()
  await results

  expect(batches.map(({ length }) => length)).toEqual([64, 36])
})

test('if the data of one item makes a batch fail, its items run one by one, and only that item fails', async () => {
  const run = vi.fn(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('bad data')
    return items
  })
  const add = createBatches(run)

  const outcomes = await Promise.allSettled(['1', 'bad', '2'].map(add))

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(run.mock.calls.flat()).toEqual([['1', 'bad', '2'], ['1'], ['bad'], ['2']])
  expect(await Promise.all(['3', '4'].map(add))).toEqual(['3', '4'])
  expect(run).toHaveBeenLastCalledWith(['3', '4'])
})

test('if the database is unavailable, a batch fails without another try', async () => {
  const add = createAdd()
  const outcomes = Promise.allSettled(['a1', 'b1'].map(add))
  await idle()
  ends[0]?.(new StorageUnavailable(new Error('gone')))

  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await idle()
  expect(batches).toHaveLength(1)
})

test('after one error of the database, the next batch runs; after a second error, the waiting items fail', async () => {
  const add = createAdd()
  const settled: string[] = []
  const start = async (item: string) => {
    add(item).then(
      (result) => settled.push(result),
      () => settled.push(`${item} failed`),
    )
    await idle()
  }
  for (const item of ['a1', 'b1']) await start(item)
  ends[0]?.(new StorageUnavailable(new Error('gone')))
  await idle()
  await start('c1')
  const afterOne = [...settled]
  ends[1]?.(new StorageUnavailable(new Error('gone')))
  await idle()
  await start('d1')
  const afterTwo = [...settled]
  ends[2]?.()
  await idle()

  expect(afterOne).toEqual(['a1 failed'])
  expect(afterTwo).toEqual(['a1 failed', 'b1 failed', 'c1 failed'])
  expect(settled.at(-1)).toBe('d1 done')
})

test('an item without a result waits for a later batch, and delays no other item', async () => {
  let isLocked = true
  const add = createBatches(async (items: readonly string[]) =>
    items.map((item) => (item === 'locked' && isLocked ? undefined : item)),
  )
  const locked = add('locked')
  await idle()

  expect(await add('1')).toBe('1')
  expect(await Promise.all([add('2'), add('3')])).toEqual(['2', '3'])
  isLocked = false
  expect(await locked).toBe('locked')
})

test('an item that waits too long fails instead of running after the visitor has given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const add = createAdd()
  const first = add('a1')
  await idle()
  const refused = expect(add('a2')).rejects.toThrow(StorageUnavailable)
  vi.advanceTimersByTime(3_000)
  vi.useRealTimers()

  await refused
  await endAll()
  expect(await first).toBe('a1 done')
  expect(batches).toEqual([['a1']])
})

test('an item that gets no result for too long fails', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const run = vi.fn(async () => [undefined])
  const refused = expect(createBatches(run)('locked')).rejects.toThrow(StorageUnavailable)
  for (let waited = 0; waited < 4_000; waited += 50) {
    await idle()
    vi.advanceTimersByTime(50)
  }
  vi.useRealTimers()

  await refused
  expect(run.mock.calls.length).toBeGreaterThan(10)
})
