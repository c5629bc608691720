import { median } from '../testing/percentile.ts'
import type { Row } from './row.ts'

const ROUNDS = 5

type Comparison = Pick<Row, 'figure' | 'unit' | 'target'> & { baseline: string; rounds?: number }
type Measure = () => Promise<number>

/**
 * Measures two sides alternately, so that both run under the same conditions, after a round that
 * only warms up both. Returns the round with the median ratio.
 */
export async function compare(
  { baseline, rounds = ROUNDS, ...row }: Comparison,
  measureOurs: Measure,
  measureTheirs: Measure,
): Promise<Row> {
  const seen: { ours: number; theirs: number }[] = []
  for (let round = 0; round <= rounds; round++) {
    const [ours, theirs] = [await measureOurs(), await measureTheirs()]
    if (round > 0) seen.push({ ours, theirs })
  }
  const middle = median(seen.map(({ ours, theirs }) => ours / theirs))
  const { ours, theirs } = seen.find((each) => each.ours / each.theirs === middle) ?? {
    ours: Number.NaN,
    theirs: Number.NaN,
  }
  return { ...row, ours, baseline: { name: baseline, value: theirs } }
}
