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
    runAlone,
  )

async function runAlone(item: string) {
  if (item === 'bad') throw new Error('bad data')
  return `${item} alone`
}

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

test('if the data of one item makes a batch fail, only that item fails', async () => {
  const add = createAdd()
  const outcomes = Promise.allSettled(['1', 'bad', '2'].map(add))
  await idle()
  ends[0]?.(new Error('bad data'))

  expect((await outcomes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('if the database is unavailable, all items of the batch fail, and none runs alone', async () => {
  const add = createAdd()
  const outcomes = Promise.allSettled(['a1', 'b1'].map(add))
  await idle()
  ends[0]?.(new StorageUnavailable(new Error('gone')))

  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(batches).toHaveLength(1)
})

test('if the database is unavailable, the items that wait for the next batch fail immediately', async () => {
  const add = createAdd()
  const first = add('a1')
  await idle()
  const outcomes = Promise.allSettled([first, add('b1')])
  await idle()
  ends[0]?.(new StorageUnavailable(new Error('gone')))

  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(batches).toEqual([['a1']])
})

test('an item for which the batch returns no result runs alone, and the next batch does not wait for it', async () => {
  const gate = Promise.withResolvers<string>()
  const add = createBatches(
    async (items: readonly string[]) => items.map((item) => (item === 'locked' ? undefined : item)),
    () => gate.promise,
  )
  const locked = add('locked')
  await idle()

  expect(await add('1')).toBe('1')
  expect(await Promise.all([add('2'), add('3')])).toEqual(['2', '3'])
  gate.resolve('unlocked')
  expect(await locked).toBe('unlocked')
})

test('an item that waits too long fails instead of running after the visitor has given up', async () => {
  const add = createAdd()
  const first = add('a1')
  await idle()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const refused = expect(add('a2')).rejects.toThrow(StorageUnavailable)
  vi.advanceTimersByTime(3_000)
  vi.useRealTimers()

  await refused
  await endAll()
  expect(await first).toBe('a1 done')
  expect(batches).toEqual([['a1']])
})
