import { formatTable } from '../../cli/terminal.ts'

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

/**
 * Measures one part of the benchmark, such as `page`, and yields each row as soon as it's measured. Stops every program that
 * it starts, even after an error.
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

/** Formats the rows as a table, with the notes below. */
export function formatRows(rows: readonly Row[]): string {
  const column = (title: string, cell: (row: Row) => string) => ({ title, cells: rows.map(cell) })
  const numbers = (title: string, cell: (row: Row) => string) => alignRight(column(title, cell))
  const table = formatTable(
    [
      column('figure', ({ figure }) => figure),
      numbers('ours', ({ ours, unit }) => withUnit(ours, unit)),
      numbers('baseline', ({ baseline, unit }) => (baseline ? withUnit(baseline.value, unit) : '')),
      numbers('ratio', (row) => ratioOf(row)?.toFixed(2) ?? ''),
      column('target', formatTarget),
      column('verdict', formatVerdict),
      column('baseline is', ({ baseline }) => baseline?.name ?? ''),
    ],
    Number.POSITIVE_INFINITY,
  )
  const notes = rows.filter(({ note }) => note).map(({ figure, note }) => `${figure}: ${note}`)
  return [table, ...(notes.length > 0 ? ['', ...notes] : [])].join('\n')
}

/** Formats one row as a progress line. */
export const formatRow = (row: Row): string =>
  [row.figure, withUnit(row.ours, row.unit), ratioOf(row)?.toFixed(2), formatVerdict(row)]
    .filter(Boolean)
    .join('  ')

const formatVerdict = (row: Row) => ({ true: 'met', false: 'MISSED', undefined: '' })[`${isMet(row)}`]

function formatTarget({ target, baseline, unit }: Row): string {
  if (!target) return ''
  const [sign, bound] = 'atMost' in target ? ['<=', target.atMost] : ['>=', target.atLeast]
  return `${sign} ${baseline ? `${bound} x` : withUnit(bound, unit)}`
}

const withUnit = (value: number, unit: string) => `${readable(value)} ${unit}`.trimEnd()

/** Three significant digits, with thousands separators. */
function readable(value: number): string {
  const rounded = Number(value.toPrecision(3))
  return Math.abs(rounded) >= 1000 ? Math.round(rounded).toLocaleString('en-US') : String(rounded)
}

function alignRight({ title, cells }: { title: string; cells: string[] }) {
  const width = Math.max(...[title, ...cells].map(({ length }) => length))
  return {
    title: title.padStart(width),
    cells: cells.map((cell) => (cell === '' ? '' : cell.padStart(width))),
  }
}
