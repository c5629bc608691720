import { useEffect, useRef } from 'react'
import { Mark } from './mark.tsx'
import styles from './plumb-line.module.css'
import { swingWhileScrolling } from './swing-while-scrolling.ts'

/** A line from the header down the page. Its bob descends as the visitor scrolls and comes to rest at this component. */
export function PlumbLine() {
  const line = useRef<HTMLDivElement>(null)

  useEffect(() => (line.current ? swingWhileScrolling(line.current) : undefined), [])

  return (
    <div className={styles.drop} aria-hidden="true" data-print="never">
      <div ref={line} className={styles.line}>
        <i className={styles.string} />
        <Mark className={styles.bob} />
      </div>
    </div>
  )
}
