import { median } from '../testing/percentile.ts'

/**
 * Measures two sides alternately, so that both run under the same conditions. Returns the round with the median ratio. An
 * extra first round warms up both.
 */
export async function alternate<Ours, Theirs>(
  count: number,
  ours: () => Promise<Ours>,
  theirs: () => Promise<Theirs>,
  ratio: (ours: Ours, theirs: Theirs) => number,
): Promise<{ ours: Ours; theirs: Theirs }> {
  const rounds: { ours: Ours; theirs: Theirs; ratio: number }[] = []
  for (let round = 0; round <= count; round++) {
    const [our, their] = [await ours(), await theirs()]
    if (round > 0) rounds.push({ ours: our, theirs: their, ratio: ratio(our, their) })
  }
  const middle = median(rounds.map((round) => round.ratio))
  return rounds.find((round) => round.ratio === middle) ?? Promise.reject(new Error('Nothing was measured.'))
}
