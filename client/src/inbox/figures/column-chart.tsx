import styles from './column-chart.module.css'

const HEIGHT = 100
const STEP = 10
const WIDTH = 6
const PARTS = ['solid', 'late', 'hollow'] as const
// More labels would overlap on a phone.
const MAX_LABELS = 4

type Props = {
  names: string[]
  /** The parts of each column, from the bottom up. */
  columns: number[][]
  format?: (value: number) => string
}

/** Hidden from screen readers, because the table below the chart has the same values. */
export function ColumnChart({ names, columns, format = String }: Props) {
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
