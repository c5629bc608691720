import { setImmediate as nextTurn } from 'node:timers/promises'
import { isStorageError, StorageUnavailable } from './storage-error.ts'

// Node accepts only a few connections per turn of the event loop, and a turn that runs a batch is long. While more items keep
// arriving, a batch waits up to this long before it runs: the turns until then are short, so more visitors can connect.
const GATHER_MS = 20
// An item that has waited this long fails, because the visitor's page gives up after 10 s.
const MAX_WAIT_MS = 3_000
const MAX_ITEMS = 64
// An item without a result waits this long, so that it isn't the only item of one batch after another.
const RETRY_MS = 50

type Waiting<Item, Result> = {
  item: Item
  /** Set after a batch with this item has failed because of its data. */
  runsAlone: boolean
  /** When the item fails unless its batch is running, on the clock of `performance.now`. */
  deadline: number
  resolve: (result: Result) => void
  reject: (reason: unknown) => void
}

/**
 * Returns a function that passes its item to `run` together with the items of other calls; there is one batch at a time.
 * `run` returns a result for each item, or undefined if the item must wait for a later batch. If a batch fails because of
 * its data, each of its items runs alone.
 */
export function createBatches<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly (Result | undefined)[]>,
) {
  type Call = Waiting<Item, Result>
  const waiting: Call[] = []
  let isRunning = false
  let hasFailed = false

  async function runAll() {
    isRunning = true
    await gather()
    while (waiting.length > 0) {
      await runBatch(take())
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

  function take(): Call[] {
    const alone = waiting.findIndex(({ runsAlone }) => runsAlone)
    return waiting.splice(0, alone < 0 ? MAX_ITEMS : Math.min(Math.max(alone, 1), MAX_ITEMS))
  }

  async function runBatch(batch: readonly Call[]): Promise<void> {
    try {
      const results = await run(batch.map(({ item }) => item))
      hasFailed = false
      for (const [index, call] of batch.entries()) {
        const result = results[index]
        if (result === undefined) setTimeout(() => waitAgain(call), RETRY_MS)
        else call.resolve(result)
      }
    } catch (error) {
      if (isStorageError(error)) return failAfter(error, batch)
      if (batch.length === 1) return batch[0]?.reject(error)
      for (const call of batch) waitAgain(Object.assign(call, { runsAlone: true }))
    }
  }

  /** After a second error in a row, the waiting items fail, too: otherwise, each batch would wait for the same error. */
  function failAfter(error: unknown, batch: readonly Call[]) {
    const failed = hasFailed ? [...batch, ...waiting.splice(0)] : batch
    hasFailed = true
    for (const { reject } of failed) reject(error)
  }

  function waitAgain(call: Call) {
    if (performance.now() >= call.deadline) return call.reject(waitedTooLong())
    waiting.push(call)
    if (!isRunning) runAll()
  }

  return (item: Item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const call: Call = { item, runsAlone: false, deadline: performance.now() + MAX_WAIT_MS, resolve, reject }
    const timer = setTimeout(() => {
      const index = waiting.indexOf(call)
      // If its batch is running, the item gets the result.
      if (index < 0) return
      waiting.splice(index, 1)
      reject(waitedTooLong())
    }, MAX_WAIT_MS)
    waitAgain(call)
    return promise.finally(() => clearTimeout(timer))
  }
}

const waitedTooLong = () => new StorageUnavailable(new Error('too many requests are waiting'))
