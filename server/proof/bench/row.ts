/** One line of the table: what was measured, beside what, and what it should be. */
export type Row = {
  figure: string
  unit: string
  ours: number
  baseline?: { name: string; value: number }
  /** Of the ratio of ours to the baseline; without a baseline, of ours. */
  target?: { atMost: number } | { atLeast: number }
  /** A sentence for below the table. */
  note?: string
}

export type Options = {
  /** How long the soak takes. */
  minutes: number
}

/** Measures one subject. Rows come as they are known; what it starts it ends, whatever happens. */
export type Part = (options: Options) => AsyncIterable<Row>

/** Ours against the baseline, where there is one. */
export const ratioOf = ({ ours, baseline }: Row): number | undefined => baseline && ours / baseline.value

/** Whether the target is met; undefined where the row only informs. */
export function isMet(row: Row): boolean | undefined {
  if (!row.target) return undefined
  const value = ratioOf(row) ?? row.ours
  // Written so that what could not be measured (NaN) is missed.
  return 'atMost' in row.target ? value <= row.target.atMost : value >= row.target.atLeast
}
