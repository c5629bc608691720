import styles from './bar-chart.module.css'

type Props = { bars: { name: string; leads: number }[] }

/** One line per name. The name with the most leads has the longest line. */
export function BarChart({ bars }: Props) {
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
