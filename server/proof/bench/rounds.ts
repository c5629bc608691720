import { median } from '../testing/percentile.ts'

/**
 * Measures two sides alternately, so that both run under the same conditions, after a round that only warms up both.
 * Returns the round with the median ratio.
 */
export async function alternate<Ours, Theirs>(
  count: number,
  measureOurs: () => Promise<Ours>,
  measureTheirs: () => Promise<Theirs>,
  ratio: (ours: Ours, theirs: Theirs) => number,
) {
  const rounds: { ours: Ours; theirs: Theirs; ratio: number }[] = []
  for (let round = 0; round <= count; round++) {
    const [ours, theirs] = [await measureOurs(), await measureTheirs()]
    if (round > 0) rounds.push({ ours, theirs, ratio: ratio(ours, theirs) })
  }
  const middle = median(rounds.map((round) => round.ratio))
  const round = rounds.find((round) => round.ratio === middle)
  if (!round) throw new Error('Nothing was measured.')
  return round
}

/** The ratio of two rates. */
export const ofRates = (ours: { rate: number }, theirs: { rate: number }) => ours.rate / theirs.rate
