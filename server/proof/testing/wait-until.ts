import { setTimeout as sleep } from 'node:timers/promises'

const POLL_EVERY_MS = 20

/** Polls until the condition is true. Resolves to how long that took, in milliseconds. Rejects after the deadline. */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  deadlineMs = 20_000,
): Promise<number> {
  const startedAt = performance.now()
  while (!(await isTrue())) {
    if (performance.now() - startedAt > deadlineMs) throw new Error(`Not within ${deadlineMs} ms: ${what}.`)
    await sleep(POLL_EVERY_MS)
  }
  return performance.now() - startedAt
}
