import type { PromiseLeft } from '#shared/inbox/promise-left.ts'
import styles from './gauge.module.css'

// A tick at each quarter of the promised time.
const TICKS = [0, 1, 2, 3, 4]
const LENGTH = 72

type Props = Pick<PromiseLeft, 'tone' | 'share'>

/**
 * Draws the promised time like a dimension line in a technical drawing, with a thick line for the time left. If the reply
 * is late, the thick line is to the right of the dimension line instead.
 */
export function Gauge({ tone, share }: Props) {
  const start = LENGTH * (1 - share)
  return (
    <svg className={`${styles.gauge} ${styles[tone]}`} viewBox={`0 0 ${LENGTH + 9} 11`} aria-hidden="true">
      <path
        className={styles.rule}
        d={`M.5 5.5h${LENGTH}${TICKS.map((tick) => {
          const isEnd = tick === 0 || tick === TICKS.length - 1
          return `M${(LENGTH * tick) / (TICKS.length - 1) + 0.5} ${isEnd ? '0v11' : '3v5'}`
        }).join('')}`}
      />
      <path className={styles.left} d={tone === 'late' ? `M${LENGTH} 5.5h9` : `M${start} 5.5H${LENGTH}`} />
    </svg>
  )
}
