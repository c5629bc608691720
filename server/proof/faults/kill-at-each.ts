import { expectThat } from './fault-case.ts'

/**
 * Kills something at the nth call. Returns what is wrong afterward, or undefined if there are fewer
 * calls.
 */
type Kill = (call: string, nth: number) => Promise<string[] | undefined>

/**
 * Kills something again and again, each time at another call. Of many calls of a kind, it skips
 * more and more. Stops at the first kill after which something is wrong, and returns that.
 */
export async function killAtEach(calls: readonly string[], kill: Kill) {
  let killed = 0
  for (const call of calls)
    for (let nth = 1; ; nth += Math.ceil(nth / 8)) {
      const faults = await kill(call, nth)
      if (!faults) break
      killed++
      if (faults.length > 0) return { killed, faults: [`killed at ${call} ${nth}`, ...faults] }
    }
  return { killed, faults: [] }
}

/** Expects kills, and that nothing was wrong afterward. */
export async function expectNoFault(kills: ReturnType<typeof killAtEach>): Promise<string> {
  const { killed, faults } = await kills
  expectThat(killed > 0 && faults.length === 0, faults.join('; ') || 'never killed')
  return `killed ${killed} times, no faults`
}
