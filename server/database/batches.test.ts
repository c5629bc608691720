import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { createBatches } from './batches.ts'
import { StorageUnavailable } from './storage-error.ts'

/** The batches that were started, and a function for each that ends it. */
let batches: (readonly string[])[]
let ends: ((error?: Error) => void)[]
beforeEach(() => {
  batches = []
  ends = []
})

const createAdd = (limits = { running: 2, items: 64 }) =>
  createBatches(
    (items: readonly string[]) =>
      new Promise<string[]>((resolve, reject) => {
        batches.push(items)
        ends.push((error) => (error ? reject(error) : resolve(items.map((item) => `${item} done`))))
      }),
    limits,
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

test('while two batches run, other items wait for the next batch', async () => {
  const add = createAdd()
  const results = ['a1', 'b1'].map(add)
  for (const item of ['c1', 'd1']) {
    await idle()
    results.push(add(item))
  }
  await idle()
  const running = [...batches]
  await endAll()
  await Promise.all(results)

  expect(running).toEqual([['a1', 'b1'], ['c1']])
  expect(batches[2]).toEqual(['d1'])
})

test('a batch has at most 64 items', async () => {
  const add = createAdd()
  const results = Promise.all(Array.from({ length: 100 }, (_, index) => add(`${index}`)))
  await endAll()
  await results

  expect(batches.map(({ length }) => length)).toEqual([64, 36])
})

test('if the data of one item makes a batch fail, only that item fails', async () => {
  const run = vi.fn(async (items: readonly string[]) => {
    if (items.includes('bad')) throw new Error('bad data')
    return items
  })
  const add = createBatches(run, { running: 1, items: 64 })

  const outcomes = await Promise.allSettled(['1', 'bad', '2'].map(add))

  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('if the database is unavailable, a batch fails without another try', async () => {
  const add = createAdd()
  const outcomes = Promise.allSettled(['a1', 'b1'].map(add))
  await idle()
  ends[0]?.(new StorageUnavailable(new Error('gone')))

  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(batches).toHaveLength(1)
})

test('after an error of the database, the items that wait fail at once', async () => {
  const add = createAdd({ running: 1, items: 1 })
  const outcomes = Promise.allSettled(['a1', 'b1'].map(add))
  await idle()
  ends[0]?.(new StorageUnavailable(new Error('gone')))

  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(batches).toEqual([['a1']])
})

test('an item without a result runs alone, while the next batch runs', async () => {
  const gate = Promise.withResolvers<string[]>()
  const run = vi.fn(async (items: readonly string[]) => {
    if (items.length === 1 && items[0] === 'locked') return gate.promise
    return items.map((item) => (item === 'locked' ? undefined : item))
  })
  const add = createBatches(run, { running: 1, items: 64 })
  const locked = add('locked')

  expect(await add('1')).toBe('1')
  expect(await Promise.all([add('2'), add('3')])).toEqual(['2', '3'])
  gate.resolve(['unlocked'])
  expect(await locked).toBe('unlocked')
})

test('an item that waits too long fails instead of running after the visitor has given up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const add = createAdd({ running: 1, items: 1 })
  const first = add('a1')
  const refused = expect(add('a2')).rejects.toThrow(StorageUnavailable)
  await idle()
  vi.advanceTimersByTime(3_000)
  vi.useRealTimers()

  await refused
  await endAll()
  expect(await first).toBe('a1 done')
  expect(batches).toEqual([['a1']])
})
