// There are many runs, because a busy machine slows down some of them.
const MAX_RUNS = 80
// One unusually fast run with the short text would make all later ratios too high, so start over after this many runs.
const RUNS_TOGETHER = 16
// If the long text takes less than this, it delays nobody, however fast the work grows.
const HARMLESS_MICROSECONDS = 2000

type Work = (text: string) => unknown

/**
 * Returns the factor by which the CPU time grows when the text doubles. It is the mean of two doublings, because memory
 * grows in steps, which can distort a single doubling. Uses the fastest of many runs, and stops as soon as the factor is at
 * most `most`. Returns 1 if a text of this length takes so little time that the growth doesn't matter.
 */
export async function growthOfWork(
  work: Work,
  text: (length: number) => string,
  length: number,
  most: number,
) {
  const [short, long] = [text(length / 4), text(length)]
  let [leastShort, leastLong] = [0, 0]
  const growth = () => Math.sqrt(leastLong / leastShort)
  for (let run = 0; run < MAX_RUNS; run++) {
    if (run % RUNS_TOGETHER === 0) leastShort = leastLong = Number.POSITIVE_INFINITY
    leastLong = Math.min(leastLong, await cost(work, long))
    if (leastLong < HARMLESS_MICROSECONDS) return 1
    leastShort = Math.min(leastShort, await cost(work, short))
    if (growth() <= most) break
  }
  return growth()
}

/** The CPU time in microseconds. Unlike elapsed time, it doesn't include time in which the CPU runs other processes. */
async function cost(work: Work, text: string): Promise<number> {
  const before = process.cpuUsage()
  await work(text)
  const { user, system } = process.cpuUsage(before)
  return user + system
}
