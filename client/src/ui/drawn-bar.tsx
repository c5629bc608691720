import { useEffect, useRef } from 'react'
import styles from './drawn-bar.module.css'

/**
 * The upper edge of a box. It extends to the tip of the plumb line above the box, and draws itself
 * from there when the tip first touches it.
 */
export function DrawnBar() {
  const bar = useRef<HTMLElement>(null)
  useEffect(() => (bar.current ? drawOnceReached(bar.current) : undefined), [])
  return <i ref={bar} className={styles.bar} aria-hidden="true" data-print="never" />
}

/** Without this script, the bar is drawn from the start. */
function drawOnceReached(bar: HTMLElement): () => void {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  // Where the tip is while the page scrolls: see plumb-line.module.css.
  const tip = Math.max(0.36 * innerHeight, 18 * rem)
  const observer = new IntersectionObserver(
    (changes) => {
      const isReached = changes.some(({ isIntersecting }) => isIntersecting)
      bar.toggleAttribute('data-waiting', !isReached)
      if (isReached) observer.disconnect()
    },
    { rootMargin: `999999px 0px ${tip - innerHeight}px` },
  )
  observer.observe(bar)
  return () => observer.disconnect()
}
