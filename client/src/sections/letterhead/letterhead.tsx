import { brand } from '#facts/brand.ts'
import { Mark } from '../../ui/mark.tsx'
import styles from './letterhead.module.css'

/** Only on paper, where the header is hidden: who this is and how to reach them. */
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
