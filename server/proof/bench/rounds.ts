import { median, percentile } from '../testing/percentile.ts'

export { median }

/**
 * Measures two sides in turns, so that both meet the same machine, and returns the round whose ratio is the middle one.
 * A first round warms both up.
 */
export async function inTurns<Ours, Theirs>(
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
  const middle = percentile(
    rounds.map((round) => round.ratio),
    0.5,
  )
  return rounds.find((round) => round.ratio === middle) ?? Promise.reject(new Error('nothing was measured'))
}
