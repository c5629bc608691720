/** One line of the table: a measurement, its baseline and its target. */
export type Row = {
  figure: string
  unit: string
  ours: number
  baseline?: { name: string; value: number }
  /** Applies to the ratio, or to `ours` if there is no baseline. */
  target?: { atMost: number } | { atLeast: number }
  /** Printed below the table. */
  note?: string
}

export type Options = {
  /** How long the part `soak` runs. */
  minutes: number
}

/**
 * Measures one part of the benchmark, such as `page`, and yields each row as soon as it's measured. Stops every program that
 * it starts, even after an error.
 */
export type Part = (options: Options) => AsyncIterable<Row>

/** Our value divided by the baseline, if there is one. */
export const ratioOf = ({ ours, baseline }: Row): number | undefined => baseline && ours / baseline.value

/** Whether the target is met; undefined without a target. */
export function isMet(row: Row): boolean | undefined {
  if (!row.target) return undefined
  const value = ratioOf(row) ?? row.ours
  // A failed measurement is NaN, for which both comparisons are false, so it misses the target.
  return 'atMost' in row.target ? value <= row.target.atMost : value >= row.target.atLeast
}
