import { orAbort, startDeadline } from '../../deadline.ts'
import { busy } from './busy.ts'

type Limits = {
  atOnce: number
  maxWaiting: number
  /** A read that waits longer is rejected. */
  maxWaitMs: number
}

/**
 * Runs a few reads at once, and queues a limited number of others. Throws a Problem if the queue is full, or if a read has
 * waited too long.
 */
export function createReadQueue({ atOnce, maxWaiting, maxWaitMs }: Limits) {
  let running = 0
  const waiting = new Set<() => void>()

  async function waitForTurn(signal: AbortSignal) {
    if (waiting.size >= maxWaiting) throw busy()
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.add(resolve)
    using deadline = startDeadline(maxWaitMs, 'waited too long', signal)
    try {
      await orAbort(promise, deadline.signal)
    } catch {
      // If this read is no longer in `waiting`, its turn came just before the deadline: the next read gets the turn.
      if (!waiting.delete(resolve)) end()
      throw busy()
    }
  }

  /** Starts the next read that is waiting, if there is one. */
  function end() {
    const [next] = waiting
    if (!next) {
      running--
      return
    }
    waiting.delete(next)
    next()
  }

  return async function enqueue<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    if (running < atOnce) running++
    else await waitForTurn(signal)
    try {
      return await work()
    } finally {
      end()
    }
  }
}
