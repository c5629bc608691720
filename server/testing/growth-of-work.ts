const FEW_RUNS = 2
const MANY_RUNS = 40

/**
 * How many times the work grows when the text doubles, by the least time of each length over many runs: whoever else
 * uses the machine only ever adds. Returns as soon as it is at most `most`.
 */
export async function growthOfWork(
  work: (text: string) => unknown,
  [short, long]: readonly [string, string],
  most: number,
): Promise<number> {
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as const as [number, number]
  for (let run = 0; run < MANY_RUNS; run++) {
    least[0] = Math.min(least[0], await timeOf(work, short))
    least[1] = Math.min(least[1], await timeOf(work, long))
    if (run + 1 >= FEW_RUNS && least[1] <= most * least[0]) break
  }
  return least[1] / least[0]
}

async function timeOf(work: (text: string) => unknown, text: string): Promise<number> {
  const startedAt = performance.now()
  await work(text)
  return performance.now() - startedAt
}
