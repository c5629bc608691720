import { mark } from '#brand/mark.ts'
import { Mark } from './mark.tsx'
import styles from './plumb-line.module.css'

type Props = { isHanging?: boolean }

/**
 * A line from the header down the page. Its bob descends as the visitor scrolls and comes to rest
 * at this component. On phones, only a short line. `isHanging`: only there, hangs from the upper
 * edge of the box around it.
 */
export const PlumbLine = ({ isHanging = false }: Props) => (
  <div className={isHanging ? styles.hanging : styles.drop} aria-hidden="true" data-print="never">
    <div ref={swingWhileScrolling} className={styles.line}>
      <i className={`${styles.string} ${mark.paths.some(({ isString }) => isString) ? styles.joined : ''}`} />
      <Mark isHanging />
    </div>
  </div>
)

/** At this scrolling speed, the line leans half as far as it can. */
const HALF_LEAN_PIXELS_PER_SECOND = 600
const REST_MS = 100

/**
 * Makes the line lean while the visitor scrolls: the faster, the more. Sets `--swing`, from -1 to
 * 1. CSS swings it back.
 */
function swingWhileScrolling(line: HTMLDivElement): () => void {
  const controller = new AbortController()
  let y = scrollY
  let at = 0
  let rest: ReturnType<typeof setTimeout>
  const lean = () => {
    const now = performance.now()
    const velocity = ((scrollY - y) * 1000) / (now - at + 1)
    y = scrollY
    at = now
    line.style.setProperty('--swing', String(velocity / (Math.abs(velocity) + HALF_LEAN_PIXELS_PER_SECOND)))
    clearTimeout(rest)
    rest = setTimeout(() => line.style.removeProperty('--swing'), REST_MS)
  }
  addEventListener('scroll', lean, { passive: true, signal: controller.signal })
  return () => controller.abort()
}
