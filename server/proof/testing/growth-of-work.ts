// On a busy machine many of the runs are disturbed.
const MOST_RUNS = 80
// One lucky run of the short text would spoil all that follow: so from time to time it begins again.
const RUNS_TOGETHER = 16
// Less than this cannot be told from what measuring costs, so it is done several times.
const MEASURABLE_MICROSECONDS = 100

type Work = (text: string) => unknown

/**
 * How many times the work grows when the text gets twice as long: the mean of two doublings, for memory grows in steps.
 * By the processor's time, the least of many runs. Returns as soon as it is at most `most`.
 */
export async function growthOfWork(
  work: Work,
  text: (length: number) => string,
  length: number,
  most: number,
) {
  const [short, long] = [text(length / 4), text(length)]
  // The first run compiles.
  await cost(work, short, 1)
  const times = Math.ceil(MEASURABLE_MICROSECONDS / Math.max(1, await cost(work, short, 1)))
  let [leastShort, leastLong] = [0, 0]
  const growth = () => Math.sqrt(leastLong / leastShort)
  for (let run = 0; run < MOST_RUNS; run++) {
    if (run % RUNS_TOGETHER === 0) leastShort = leastLong = Number.POSITIVE_INFINITY
    leastShort = Math.min(leastShort, await cost(work, short, times))
    leastLong = Math.min(leastLong, await cost(work, long, times))
    if (growth() <= most) break
  }
  return growth()
}

/** Microseconds of the processor; unlike time, it does not count waiting for others. */
async function cost(work: Work, text: string, times: number): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < times; count++) await work(text)
  const { user, system } = process.cpuUsage(before)
  return user + system
}
