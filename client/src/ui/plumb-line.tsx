import { Bob } from './bob.tsx'
import styles from './plumb-line.module.css'

/** The signature: a line down the page whose bob descends as the page is scrolled and comes to rest where this stands. */
export function PlumbLine() {
  return (
    <div className={styles.drop} aria-hidden="true" data-print="never">
      <div className={styles.line}>
        <Bob className={styles.bob} />
      </div>
    </div>
  )
}
