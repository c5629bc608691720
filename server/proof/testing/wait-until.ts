import { setTimeout as sleep } from 'node:timers/promises'

const POLL_EVERY_MS = 20
// Not `performance.now()`, which some tests make faster: see `speedUp`.
const now = () => process.uptime() * 1000

/**
 * Polls until the condition is true. Resolves to how long that took, in milliseconds. Rejects after
 * the deadline.
 */
export async function waitUntil(
  what: string,
  isTrue: () => boolean | Promise<boolean>,
  deadlineMs = 20_000,
): Promise<number> {
  const startedAt = now()
  while (!(await isTrue())) {
    if (now() - startedAt > deadlineMs) throw new Error(`Not within ${deadlineMs} ms: ${what}.`)
    await sleep(POLL_EVERY_MS)
  }
  return now() - startedAt
}
