import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStorageError, StorageUnavailable } from './storage-error.ts'

// Node accepts only one connection per turn of the event loop, and a batch makes a turn long. While more items keep
// arriving, a batch waits up to this long, so that visitors can connect during short turns.
const GATHER_MS = 20
// After waiting this long, an item fails, because the visitor's page gives up after 10 s.
const MAX_WAIT_MS = 3_000

export type Limits = {
  /** The most batches that run at the same time. */
  running: number
  /** The most items of a batch. */
  items: number
}

type Waiting<Item, Result> = {
  item: Item
  since: number
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/**
 * Returns a function that passes its item to `run` together with the items of other calls. `run` returns a result for each
 * item. If a batch fails because of its data, each of its items runs alone.
 */
export function createBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
  limits: Limits,
) {
  type Call = Waiting<Item, Result>
  const waiting: Call[] = []
  let running = 0

  async function runBatches() {
    running++
    await gather()
    while (waiting.length > 0) {
      const batch = waiting.splice(0, limits.items).filter(isInTime)
      if (batch.length > 0) await runBatch(batch)
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

  function isInTime({ since, reject }: Call): boolean {
    if (performance.now() <= since + MAX_WAIT_MS) return true
    reject(new StorageUnavailable(new Error('too many requests are waiting')))
    return false
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
      waiting.push({ item, since: performance.now(), resolve, reject })
      if (running < limits.running) runBatches()
    })
}
