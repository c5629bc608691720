import { formatTable } from '../../cli/terminal.ts'
import { isMet, type Row, ratioOf } from './row.ts'

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
