import { type ReactNode, useId } from 'react'
import page from '../ui/page.module.css'
import styles from './charts.module.css'

type ChartProps = {
  title: string
  text?: string
  columns: string[]
  rows: (string | number)[][]
  children: ReactNode
}

/** A chart, with a table of its values to read or copy. */
export function Chart({ title, text, columns, rows, children }: ChartProps) {
  const id = useId()
  return (
    <section className={page.section} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text && <p>{text}</p>}
      {children}
      <details className={styles.table}>
        <summary>As a table</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: lets keyboard users scroll the table sideways. */}
        {/* biome-ignore lint/a11y/useSemanticElements: a second section per chart would add another landmark. */}
        <div className={styles.wide} role="group" tabIndex={0} aria-labelledby={id}>
          <table aria-labelledby={id}>
            <thead>
              <tr>
                {columns.map((column) => (
                  <th key={column} scope="col">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(([name, ...cells]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  {cells.map((cell, index) => (
                    <td key={columns[index + 1]}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  )
}

/** One line per name. The name with the most leads has the longest line. */
export function BarChart({ bars }: { bars: { name: string; leads: number }[] }) {
  const most = Math.max(...bars.map(({ leads }) => leads), 1)
  return (
    <ul className={styles.bars} aria-hidden="true">
      {bars.map(({ name, leads }) => (
        <li key={name}>
          <span>{name}</span>
          <data value={leads}>{leads}</data>
          <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
            <path className={styles.line} d={`M0 5H${(100 * leads) / most}`} />
          </svg>
        </li>
      ))}
    </ul>
  )
}

const HEIGHT = 100
const STEP = 10
const WIDTH = 6
const PARTS = ['solid', 'late', 'hollow'] as const
// More labels would overlap on a phone.
const MAX_LABELS = 4

type ColumnProps = {
  names: string[]
  /** The parts of each column, from the bottom up. */
  columns: number[][]
  format?: (value: number) => string
}

/** Hidden from screen readers, because the table below the chart has the same values. */
export function ColumnChart({ names, columns, format = String }: ColumnProps) {
  const totals = columns.map((parts) => parts.reduce((total, part) => total + part, 0))
  const highest = Math.max(...totals, 1)
  const every = Math.ceil(names.length / MAX_LABELS)
  return (
    <div className={styles.chart} aria-hidden="true">
      <p className={styles.top}>{format(highest)}</p>
      <svg viewBox={`0 0 ${columns.length * STEP} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path
          className={styles.rules}
          d={`M0 .5H${columns.length * STEP}M0 ${HEIGHT / 2}H${columns.length * STEP}`}
        />
        {columns.map((parts, column) => {
          let top = HEIGHT
          return parts.map((part, index) => {
            const height = (part / highest) * (HEIGHT - 1)
            top -= height
            const x = column * STEP + (STEP - WIDTH) / 2
            const box = { x, y: top, width: WIDTH, height }
            return <rect key={`${column}-${index}`} className={styles[PARTS[index] ?? '']} {...box} />
          })
        })}
        <path className={styles.ground} d={`M0 ${HEIGHT}H${columns.length * STEP}`} />
      </svg>
      <ol className={styles.names}>
        {names.map((name, index) => (
          <li key={name}>{(names.length - 1 - index) % every === 0 ? name : ''}</li>
        ))}
      </ol>
    </div>
  )
}
