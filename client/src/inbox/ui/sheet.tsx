import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './sheet.module.css'

type Props = {
  title: string
  onClose: () => void
  /** The focus goes to the element with `data-first`, or else to the first control. */
  children: ReactNode
  /** Full height on a phone, for writing. */
  isTall?: boolean
  /** Hides everything behind the sheet, which can't be closed. */
  isOpaque?: boolean
}

/** A modal dialog: a sheet from the bottom on a phone. The browser keeps the focus inside and puts it back afterward. */
export function Sheet({ title, onClose, children, isTall, isOpaque }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus()
    return fitAboveKeyboard(dialog.current)
  }, [])

  const kinds = [styles.sheet, isTall && styles.tall, isOpaque && styles.opaque]
  return (
    <dialog
      ref={dialog}
      className={kinds.filter(Boolean).join(' ')}
      aria-labelledby={titleId}
      onCancel={(event) => isOpaque && event.preventDefault()}
      onClose={onClose}
    >
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {!isOpaque && (
          <button type="button" className={styles.close} onClick={() => dialog.current?.close()}>
            Close
          </button>
        )}
      </header>
      {children}
    </dialog>
  )
}

/** Keeps the sheet above the keyboard: on an iPhone, the keyboard covers the page instead of shrinking it. */
function fitAboveKeyboard(dialog: HTMLElement | null) {
  const { visualViewport } = window
  if (!dialog || !visualViewport) return
  const fit = () => {
    const covered = window.innerHeight - visualViewport.height * visualViewport.scale
    dialog.style.setProperty('--covered', `${Math.max(0, Math.round(covered))}px`)
  }
  visualViewport.addEventListener('resize', fit)
  return () => visualViewport.removeEventListener('resize', fit)
}
