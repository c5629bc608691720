import { setTimeout as sleep } from 'node:timers/promises'

const ASK_EVERY_MS = 20

/** Resolves to the milliseconds it took until the condition held; rejects after the deadline. */
export async function waitUntil(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  deadlineMs = 20_000,
): Promise<number> {
  const startedAt = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedAt > deadlineMs) throw new Error(`not within ${deadlineMs} ms: ${what}`)
    await sleep(ASK_EVERY_MS)
  }
  return performance.now() - startedAt
}
