import { type PointerEvent, useEffect, useRef, useState } from 'react'
import styles from './tooltip.module.css'

const DELAY_MS = 700
/** Within this time after a tooltip closes, the next one opens without delay. */
const SKIP_MS = 300

let lastClosedAt = Number.NEGATIVE_INFINITY

/**
 * Whether explanations stand between the terms instead of over them (see tooltip.module.css).
 * There, they open and close only on a tap or Enter: if they also followed the focus, the page
 * would move under the finger, or over what is focused.
 */
const isInFlow = () => matchMedia('(max-width: 35.99rem)').matches

type Props = { id: string; term: string; meaning: string }

/**
 * Opens after a delay on hover, and immediately on keyboard focus or touch. On phones, see
 * `isInFlow`.
 */
export function Tooltip({ id, term, meaning }: Props) {
  const [isOpen, setOpen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    // This listens on the document, because Escape must also close a tooltip opened by hover (WCAG
    // 1.4.13).
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpen(false)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => {
      clearTimeout(timer.current)
      document.removeEventListener('keydown', onKeyDown)
    }
  }, [])

  const openAfter = (delayMs: number) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setOpen(true), delayMs)
  }
  const close = () => {
    clearTimeout(timer.current)
    if (isOpen) lastClosedAt = performance.now()
    setOpen(false)
  }
  const onPointerEnter = (event: PointerEvent) => {
    // Touch also fires pointerenter, but onClick handles touch.
    if (event.pointerType === 'touch') return
    openAfter(performance.now() - lastClosedAt < SKIP_MS ? 0 : DELAY_MS)
  }
  const onPointerLeave = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') close()
  }

  return (
    <span className={styles.tooltip} onPointerEnter={onPointerEnter} onPointerLeave={onPointerLeave}>
      <button
        type="button"
        className={styles.term}
        aria-describedby={id}
        onFocus={(event) => event.currentTarget.matches(':focus-visible') && !isInFlow() && openAfter(0)}
        onBlur={() => isInFlow() || close()}
        onClick={() => (isOpen ? close() : openAfter(0))}
      >
        {term}
      </button>
      <span role="tooltip" id={id} className={`box ${styles.meaning}`} hidden={!isOpen}>
        {meaning}
      </span>
    </span>
  )
}
