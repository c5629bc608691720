import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStorageError, StorageUnavailable } from './storage-error.ts'

// Node accepts only one connection per turn of the event loop, and a turn that runs a batch is long. While more items keep
// arriving, a batch waits up to this long before it runs: the turns until then are short, so more visitors can connect.
const GATHER_MS = 20
// An item that has waited this long fails, because the visitor's page gives up after 10 s.
const MAX_WAIT_MS = 3_000
const MAX_ITEMS = 64

type Waiting<Item, Result> = {
  item: Item
  /** Fails the item after `MAX_WAIT_MS`. */
  timer: NodeJS.Timeout
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/**
 * Returns a function that passes its item to `runBatch` together with the items of other calls. Only one batch runs at a
 * time. `runBatch` returns a result for each item, or undefined if the item must run alone; the next batch doesn't wait for
 * it. If a batch fails, but not because the storage is unavailable, each of its items runs alone.
 */
export function createBatches<Item, Result>(
  runBatch: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
  runAlone: (item: Item) => Promise<Result>,
) {
  type Call = Waiting<Item, Result>
  const waiting: Call[] = []
  let isRunning = false

  async function runAll() {
    isRunning = true
    await gather()
    while (waiting.length > 0) {
      await run(take(MAX_ITEMS))
      await gather()
    }
    isRunning = false
  }

  /** Waits for one turn of the event loop, then for more while each brings another item, up to `GATHER_MS`. */
  async function gather() {
    const until = performance.now() + GATHER_MS
    let count = 0
    do {
      count = waiting.length
      await nextTurn()
    } while (waiting.length > count && performance.now() < until)
  }

  async function run(batch: readonly Call[]): Promise<void> {
    try {
      const results = await runBatch(batch.map(({ item }) => item))
      for (const [index, call] of batch.entries()) {
        const result = results[index]
        if (result === undefined) runCall(call)
        else call.resolve(result)
      }
    } catch (error) {
      if (batch.length > 1 && !isStorageError(error)) return runEach(batch)
      // If the storage is unavailable, the waiting items fail now: running them would lead to the same error.
      const failed = isStorageError(error) ? [...batch, ...take(waiting.length)] : batch
      for (const { reject } of failed) reject(error)
    }
  }

  async function runEach(batch: readonly Call[]) {
    for (const call of batch) await runCall(call)
  }

  const runCall = ({ item, resolve, reject }: Call) => runAlone(item).then(resolve, reject)

  function take(count: number): Call[] {
    const taken = waiting.splice(0, count)
    for (const { timer } of taken) clearTimeout(timer)
    return taken
  }

  return (item: Item) =>
    new Promise<Result>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(call), 1)
        reject(new StorageUnavailable(new Error('too many requests are waiting')))
      }, MAX_WAIT_MS)
      const call = { item, timer, resolve, reject }
      waiting.push(call)
      if (!isRunning) runAll()
    })
}
