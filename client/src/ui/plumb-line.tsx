import { useEffect, useRef } from 'react'
import { Mark } from './mark.tsx'
import styles from './plumb-line.module.css'
import { swingWithScrolling } from './swing-with-scrolling.ts'

/** A line down the page. Its bob descends as the visitor scrolls and comes to rest at this component. */
export function PlumbLine() {
  const line = useRef<HTMLDivElement>(null)

  useEffect(() => {
    const bob = line.current?.querySelector('svg')
    return bob ? swingWithScrolling(bob) : undefined
  }, [])

  return (
    <div className={styles.drop} aria-hidden="true" data-print="never">
      <div ref={line} className={styles.line}>
        <Mark className={styles.bob} />
      </div>
    </div>
  )
}
