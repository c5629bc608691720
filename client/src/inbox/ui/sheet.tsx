import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './sheet.module.css'

type Props = {
  title: string
  onClose: () => void
  /** The element with `data-first` gets the focus or, without one, the first control. */
  children: ReactNode
  /** Full height on a phone, for writing. */
  isTall?: boolean
  /** The sheet can't be closed, and hides the page behind it. */
  isBlocking?: boolean
}

/** A modal dialog; on a phone, it opens from the bottom. The browser keeps the focus inside and restores it afterward. */
export function Sheet({ title, onClose, children, isTall, isBlocking }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()

  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('[data-first]')?.focus()
    return fitAboveKeyboard(dialog.current)
  }, [])

  const kinds = [styles.sheet, isTall && styles.tall, isBlocking && styles.blocking]
  return (
    <dialog
      ref={dialog}
      className={kinds.filter(Boolean).join(' ')}
      aria-labelledby={titleId}
      onCancel={(event) => isBlocking && event.preventDefault()}
      onClose={onClose}
    >
      <header className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {!isBlocking && (
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
