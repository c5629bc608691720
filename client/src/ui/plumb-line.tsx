import { useEffect, useRef } from 'react'
import { Mark } from './mark.tsx'
import styles from './plumb-line.module.css'

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

// The spring that pulls the line back, tuned so that the line visibly swings to the other side once.
const STIFFNESS = 140
const DAMPING = 11
/** At this scrolling speed, the line leans half as far as it can. */
const HALF_LEAN_PIXELS_PER_SECOND = 600
const SETTLE_MS = 700
// Slow frames must not make the spring unstable.
const LONGEST_STEP_SECONDS = 1 / 30

/**
 * Makes the line lean while the visitor scrolls: the faster, the more. Sets `--swing`, from -1 to 1, and removes it when the
 * line is vertical again. Near the lower end of its parent, where it stops sticking to the window, the line leans less.
 */
function swingWhileScrolling(line: HTMLElement): () => void {
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  let lean = 0
  let speed = 0
  let y = scrollY
  let end = 0
  let movedAt = 0
  let stepAt = 0
  let frame = 0

  const step = (now: number) => {
    const seconds = Math.min((now - stepAt) / 1000, LONGEST_STEP_SECONDS)
    const velocity = seconds > 0 ? (scrollY - y) / seconds : 0
    stepAt = now
    y = scrollY
    if (velocity) movedAt = now
    if (now - movedAt > SETTLE_MS) return rest()
    const room = Math.min(Math.max((end - y) / innerHeight, 0), 1)
    const target = (room * velocity) / (Math.abs(velocity) + HALF_LEAN_PIXELS_PER_SECOND)
    speed += (STIFFNESS * (target - lean) - DAMPING * speed) * seconds
    lean = Math.min(Math.max(lean + speed * seconds, -1), 1)
    line.style.setProperty('--swing', lean.toFixed(3))
    frame = requestAnimationFrame(step)
  }
  const rest = () => {
    cancelAnimationFrame(frame)
    frame = lean = speed = 0
    line.style.removeProperty('--swing')
  }
  const start = () => {
    if (frame || still.matches) return
    const drop = line.parentElement as HTMLElement
    end = scrollY + drop.getBoundingClientRect().bottom - Number.parseFloat(getComputedStyle(line).top)
    stepAt = movedAt = performance.now()
    frame = requestAnimationFrame(step)
  }
  addEventListener('scroll', start, { passive: true })
  return () => {
    removeEventListener('scroll', start)
    rest()
  }
}
