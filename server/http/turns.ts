import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Returns a function whose calls resolve in order, at most `perTurn` of them in each turn of the event loop. Between turns,
 * the server can handle other requests.
 */
export function createTurns(perTurn: number): () => Promise<void> {
  const waiting: (() => void)[] = []
  let isRunning = false

  async function run() {
    isRunning = true
    while (waiting.length > 0) {
      await nextTurn()
      for (const resume of waiting.splice(0, perTurn)) resume()
    }
    isRunning = false
  }

  return () =>
    new Promise((resolve) => {
      waiting.push(resolve)
      if (!isRunning) run()
    })
}
