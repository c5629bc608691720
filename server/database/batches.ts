import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStorageError, StorageUnavailable } from './storage-error.ts'

// Node accepts only one connection per turn of the event loop, and a batch makes a turn long. While more items keep
// arriving, a batch waits up to this long, so that visitors can connect during short turns.
const GATHER_MS = 20
// After waiting this long, an item fails, because the visitor's page gives up after 10 s.
const MAX_WAIT_MS = 3_000

export type Limits = {
  /** While a batch waits for PostgreSQL, another can be sent. */
  running: number
  items: number
}

type Waiting<Item, Result> = {
  item: Item
  keys: readonly string[]
  since: number
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/**
 * Returns a function that passes its item to `run` together with the items of other calls. Items with a common key never
 * run at the same time. `run` returns a result for each item. If it fails because of the data, each item runs alone.
 */
export function createBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  keysOf: (item: Item) => readonly string[],
  limits: Limits,
) {
  type Call = Waiting<Item, Result>
  let waiting: Call[] = []
  let running = 0
  const runningKeys = new Set<string>()

  async function runBatches() {
    running++
    await gather()
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      const keys = batch.flatMap(({ keys }) => keys)
      for (const key of keys) runningKeys.add(key)
      await runBatch(batch)
      for (const key of keys) runningKeys.delete(key)
      await gather()
    }
    running--
  }

  /** Waits one turn of the event loop, and more while each brings another item. */
  async function gather() {
    const until = performance.now() + GATHER_MS
    let count = 0
    do {
      count = waiting.length
      await nextTurn()
    } while (waiting.length > count && performance.now() < until)
  }

  /** Takes the oldest calls from the queue. A call that has to wait for a key keeps its place among the calls with that key. */
  function takeBatch(): Call[] {
    const taken: Call[] = []
    const left: Call[] = []
    const keys = new Set(runningKeys)
    const tooOld = performance.now() - MAX_WAIT_MS
    for (const call of waiting) {
      if (call.since < tooOld) call.reject(new StorageUnavailable(new Error('too many requests are waiting')))
      else if (taken.length < limits.items && call.keys.every((key) => !keys.has(key))) taken.push(call)
      else left.push(call)
      for (const key of call.keys) keys.add(key)
    }
    waiting = left
    return taken
  }

  async function runBatch(batch: readonly Call[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result)
    } catch (error) {
      if (batch.length > 1 && !isStorageError(error)) for (const call of batch) await runBatch([call])
      else for (const { reject } of batch) reject(error)
    }
  }

  return (item: Item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, keys: keysOf(item), since: performance.now(), resolve, reject })
      if (running < limits.running) runBatches()
    })
}
