import styles from './drawn-bar.module.css'

/**
 * The upper edge of a box. It extends to the tip of the plumb line above the box, and draws itself
 * from there when the tip first touches it.
 */
export const DrawnBar = () => (
  <i ref={drawOnceReached} className={styles.bar} aria-hidden="true" data-print="never" />
)

function drawOnceReached(bar: HTMLElement) {
  // On phones, the tip rests on the box already.
  if (matchMedia('(max-width: 40rem)').matches) return waitFor(bar, 0.7 * innerHeight)
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  // Where the tip is while the page scrolls: see plumb-line.module.css.
  return waitFor(bar, Math.max(0.36 * innerHeight, 18 * rem))
}

/**
 * Marks a drawing as waiting until its top is this far below the window's top. Without this script,
 * it is drawn from the start.
 */
export function waitFor(drawing: HTMLElement, top: number): () => void {
  const observer = new IntersectionObserver(
    (changes) => {
      const isReached = changes.some(({ isIntersecting }) => isIntersecting)
      drawing.toggleAttribute('data-waiting', !isReached)
      if (isReached) observer.disconnect()
    },
    { rootMargin: `999999px 0px ${top - innerHeight}px` },
  )
  observer.observe(drawing)
  return () => observer.disconnect()
}
