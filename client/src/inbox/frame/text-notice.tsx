import { useEffect, useEffectEvent, useState } from 'react'
import { passFocusOn } from '../ui/focus-heading.ts'
import styles from './notice-area.module.css'
import type { Notice } from './notices.ts'

// Long enough to read a notice twice. Errors stay until they are dismissed.
const SHOWN_MS = 12_000

type Props = { notice: Exclude<Notice, { kind: 'answer' }>; onClose: () => void }

export function TextNotice({ notice, onClose }: Props) {
  const [isHeld, setHeld] = useState(false)
  const close = useEffectEvent(onClose)
  const isLasting = notice.kind === 'failed'
  useEffect(() => {
    if (isHeld || isLasting) return
    const timer = setTimeout(() => close(), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isHeld, isLasting])

  const undo = notice.kind === 'done' ? notice.undo : undefined
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the handlers only keep the notice open while somebody reads it.
    <div
      ref={passFocusOn}
      className={`${styles.notice} ${isLasting ? styles.failed : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>{notice.text}</p>
      {undo && (
        <button
          type="button"
          onClick={() => {
            onClose()
            undo()
          }}
        >
          Undo
        </button>
      )}
      <button type="button" className={styles.quiet} aria-label="Dismiss" onClick={onClose}>
        ×
      </button>
    </div>
  )
}
