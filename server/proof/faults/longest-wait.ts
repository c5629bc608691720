import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Program } from '../testing/start-program.ts'

// In which Linux counts a program's time.
const TICK_MS = 10
const PROBE_EVERY_MS = 10

/**
 * How long another client waits for /healthz at most while something is done to the program, in milliseconds. Where
 * other programs hold it up, the processor's time that it had counts instead.
 */
export async function longestWait(program: Program, meanwhile: Promise<unknown>): Promise<number> {
  let isOver = false
  const over = meanwhile.finally(() => {
    isOver = true
  })
  // Told below, when nobody waits for the program any more.
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

/** The processor's time that the program has had, in milliseconds. */
function workOf({ pid }: Program): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
