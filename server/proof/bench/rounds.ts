import { median } from '../testing/percentile.ts'

type Round<Ours, Theirs> = { ours: Ours; theirs: Theirs }

/**
 * Measures two sides alternately, so that both run under the same conditions. An extra first round, which isn't
 * returned, warms up both.
 */
async function measureRounds<Ours, Theirs>(
  count: number,
  ours: () => Promise<Ours>,
  theirs: () => Promise<Theirs>,
): Promise<Round<Ours, Theirs>[]> {
  const rounds: Round<Ours, Theirs>[] = []
  for (let round = 0; round <= count; round++) rounds.push({ ours: await ours(), theirs: await theirs() })
  return rounds.slice(1)
}

/** The round with the median ratio. */
export function middleRound<Ours, Theirs>(
  rounds: readonly Round<Ours, Theirs>[],
  ratio: (ours: Ours, theirs: Theirs) => number,
): Round<Ours, Theirs> {
  const middle = median(rounds.map(({ ours, theirs }) => ratio(ours, theirs)))
  const round = rounds.find(({ ours, theirs }) => ratio(ours, theirs) === middle)
  if (!round) throw new Error('Nothing was measured.')
  return round
}

/** Measures two sides alternately and returns the round with the median ratio. */
export const alternate = async <Ours, Theirs>(
  count: number,
  ours: () => Promise<Ours>,
  theirs: () => Promise<Theirs>,
  ratio: (ours: Ours, theirs: Theirs) => number,
): Promise<Round<Ours, Theirs>> => middleRound(await measureRounds(count, ours, theirs), ratio)
