import type { ComponentProps } from 'react'
import styles from './field.module.css'

/** A select with our own arrow. */
export function Select(select: ComponentProps<'select'>) {
  return (
    <div className={styles.select}>
      <select {...select} />
      <svg viewBox="0 0 12 8" width="12" height="8" aria-hidden="true">
        <path d="M1 1.5 6 6.5 11 1.5" fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
    </div>
  )
}
