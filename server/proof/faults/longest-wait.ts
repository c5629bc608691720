import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from '../testing/start-program.ts'

// The unit in which Linux reports CPU time.
const TICK_MS = 10
const PROBE_EVERY_MS = 10

/**
 * The longest wait for a response from /healthz until `during` settles, in milliseconds. A wait counts only up to the CPU
 * time that the program used, so that other programs on the machine can't make a case fail.
 */
export async function longestWait(program: Program, during: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = during.finally(() => {
    isOver = true
  })
  // Prevents an unhandled rejection: the `await` below reports the failure.
  over.catch(() => {})
  let longest = 0
  while (!isOver) {
    const [askedAt, workedBefore] = [performance.now(), workOf(program)]
    await (await fetch(`${program.url}/healthz`, { headers: { Connection: 'close' } })).text()
    const waited = Math.min(performance.now() - askedAt, workOf(program) - workedBefore + TICK_MS)
    longest = Math.max(longest, waited)
    await sleep(PROBE_EVERY_MS)
  }
  await over
  return longest
}

/** The program's CPU time so far, in milliseconds. */
function workOf({ pid }: Program): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
