import { setTimeout as sleep } from 'node:timers/promises'

const DEADLINE_MS = 20_000
const POLL_EVERY_MS = 50

/** Polls until the result isn't null, undefined or false. Ignores errors until the deadline: the page may be navigating. */
export async function waitFor<Result>(
  what: string,
  poll: () => Promise<Result | null | undefined | false>,
  deadlineMs = DEADLINE_MS,
): Promise<Result> {
  let problem = ''
  for (const startedAt = performance.now(); performance.now() - startedAt < deadlineMs; ) {
    try {
      const result = await poll()
      if (result !== null && result !== undefined && result !== false) return result
      problem = ''
    } catch (error) {
      problem = ` (${(error as Error).message})`
    }
    await sleep(POLL_EVERY_MS)
  }
  throw new Error(`not within ${deadlineMs / 1000} s: ${what}${problem}`)
}
