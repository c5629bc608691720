/** A measurement, its baseline and its target. */
export type Row = {
  figure: string
  unit: string
  ours: number
  baseline?: { name: string; value: number }
  /** Applies to the ratio, or to `ours` if there is no baseline. */
  target?: { atMost: number } | { atLeast: number }
  note?: string
}

/**
 * Measures one part of the benchmark, such as `page`, and yields each row as soon as it's measured.
 * Stops every program that it starts, even after an error.
 */
export type Part = () => AsyncIterable<Row>

/** Our value divided by the baseline, if there is one. */
export const ratioOf = ({ ours, baseline }: Row): number | undefined => baseline && ours / baseline.value

/** Whether the target is met; undefined without a target. */
export function isMet(row: Row): boolean | undefined {
  if (!row.target) return undefined
  const value = ratioOf(row) ?? row.ours
  // A failed measurement is NaN, for which both comparisons are false, so it misses the target.
  return 'atMost' in row.target ? value <= row.target.atMost : value >= row.target.atLeast
}

/** Describes a row on one line. */
export function formatRow(row: Row): string {
  const { figure, ours, unit, baseline, target, note } = row
  const verdict = { true: 'met', false: 'MISSED', undefined: '' }[`${isMet(row)}`]
  const [sign, bound] = !target ? [] : 'atMost' in target ? ['<=', target.atMost] : ['>=', target.atLeast]
  const compared = baseline && `${ratioOf(row)?.toFixed(2)} x ${readable(baseline.value)} (${baseline.name})`
  const wanted = target && `${sign} ${bound}${baseline ? ' x' : ''} ${verdict}`
  return [figure, `${readable(ours)} ${unit}`.trimEnd(), compared, wanted, note].filter(Boolean).join(' | ')
}

/** Three significant digits, with thousands separators. */
const readable = (value: number) => Number(value.toPrecision(3)).toLocaleString('en-US')
