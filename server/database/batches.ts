import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStorageError, StorageUnavailable } from './storage-error.ts'

// While one batch waits for the database, the next one is sent. More would only make the batches smaller.
const MAX_RUNNING = 2
const MAX_ITEMS = 64
// After waiting this long, an item fails, because the visitor's page gives up after 10 s.
const MAX_WAIT_MS = 3_000

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
) {
  type Call = Waiting<Item, Result>
  let waiting: Call[] = []
  let running = 0
  const runningKeys = new Set<string>()

  async function runBatches() {
    running++
    await nextTurn()
    for (let batch = takeBatch(); batch.length > 0; batch = takeBatch()) {
      const keys = batch.flatMap(({ keys }) => keys)
      for (const key of keys) runningKeys.add(key)
      await runBatch(batch)
      for (const key of keys) runningKeys.delete(key)
    }
    running--
  }

  /** Takes the oldest calls from the queue. A call that has to wait for a key keeps its place among the calls with that key. */
  function takeBatch(): Call[] {
    const taken: Call[] = []
    const left: Call[] = []
    const keys = new Set(runningKeys)
    const tooOld = performance.now() - MAX_WAIT_MS
    for (const call of waiting) {
      if (call.since < tooOld) call.reject(new StorageUnavailable(new Error('too many requests are waiting')))
      else if (taken.length < MAX_ITEMS && call.keys.every((key) => !keys.has(key))) taken.push(call)
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
      if (running < MAX_RUNNING) runBatches()
    })
}
