// Many, because a busy machine slows down some of them.
const MAX_RUNS = 80
// One lucky run with the short text would spoil all later ratios, so start over now and then.
const RUNS_TOGETHER = 16
// Work that takes less time is repeated, because measuring costs time too.
const MEASURABLE_MICROSECONDS = 100

type Work = (text: string) => unknown

/**
 * The factor by which the CPU time grows when the text doubles: the mean of two doublings, because memory grows in steps.
 * Takes the minimum of many runs. Returns as soon as the factor is at most `most`.
 */
export async function growthOfWork(
  work: Work,
  text: (length: number) => string,
  length: number,
  most: number,
) {
  const [short, long] = [text(length / 4), text(length)]
  // Warm up.
  await cost(work, short, 1)
  const times = Math.ceil(MEASURABLE_MICROSECONDS / Math.max(1, await cost(work, short, 1)))
  let [leastShort, leastLong] = [0, 0]
  const growth = () => Math.sqrt(leastLong / leastShort)
  for (let run = 0; run < MAX_RUNS; run++) {
    if (run % RUNS_TOGETHER === 0) leastShort = leastLong = Number.POSITIVE_INFINITY
    leastShort = Math.min(leastShort, await cost(work, short, times))
    leastLong = Math.min(leastLong, await cost(work, long, times))
    if (growth() <= most) break
  }
  return growth()
}

/** CPU time in microseconds: unlike elapsed time, it doesn't count other processes. */
async function cost(work: Work, text: string, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < times; count++) await work(text)
  const { user, system } = process.cpuUsage(before)
  return user + system
}
