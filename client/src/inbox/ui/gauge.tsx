import type { PromiseLeft } from '#shared/inbox/promise-left.ts'
import styles from './gauge.module.css'

/**
 * Draws the promised time like a dimension line in a technical drawing, with a
 * thick line for the time left. If the reply is late, all of the line is thick.
 */
export function Gauge({ tone, share }: Pick<PromiseLeft, 'tone' | 'share'>) {
  const start = tone === 'late' ? 0 : 400 * (1 - share)
  return (
    <svg
      className={`${styles.gauge} ${styles[tone]}`}
      viewBox="0 0 400 12"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className={styles.rule} d="M.5 0v12M399.5 0v12M0 6h400M100 3.5v5M200 3.5v5M300 3.5v5" />
      <path d={`M${start} 6H400`} />
    </svg>
  )
}
