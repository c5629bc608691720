import { brand } from '#facts/brand.ts'
import { Mark } from '../../ui/mark.tsx'
import styles from './letterhead.module.css'

/** The agency's name and how to reach it. Shown only in print, where the header is hidden. */
export function Letterhead() {
  return (
    <p className={styles.letterhead} data-print="only">
      <Mark className={styles.bob} />
      <strong>{brand.name}</strong>
      <span>{brand.phone}</span>
      <span>{brand.email}</span>
    </p>
  )
}
