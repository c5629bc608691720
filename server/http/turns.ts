import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../errors/problem.ts'

const LOOK_MS = 100
const PATIENCE_MS = 5_000

/**
 * Creates a function that lets at most `max` downloads of files run at a time. Another one waits a
 * few seconds for its turn. Rejects with a Problem if it doesn't get one.
 */
export function createTurns(max: number) {
  let running = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    for (let waited = 0; running >= max; waited += LOOK_MS) {
      if (waited >= PATIENCE_MS)
        throw new Problem('mailbox_unavailable', 'Other files are being fetched. Try again in a moment.')
      await sleep(LOOK_MS)
    }
    running++
    try {
      return await work()
    } finally {
      running--
    }
  }
}
