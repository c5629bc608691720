import {
  type ComponentProps,
  createContext,
  type ReactNode,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
} from 'react'
import textButton from '../../ui/text-button.module.css'
import { focusHeading } from './focus.ts'
import styles from './sheet.module.css'

type Props = {
  title: string
  /** Without it, the sheet can't be closed. */
  onClose?: (() => void) | undefined
  /** The element with `data-first` gets the focus; if there is none, the first control does. */
  children: ReactNode
  /** Whether the sheet has full height on a phone, to leave room for writing. */
  isTall?: boolean
  /** Whether the sheet hides the page behind it. */
  isBlocking?: boolean
} & Omit<ComponentProps<'dialog'>, 'onClose'>

/** Shown at the top of every sheet inside this context: warnings that the sheet would cover. */
export const SheetTop = createContext<ReactNode>(null)

/**
 * A modal dialog; on a phone, it opens from the bottom. The browser
 * keeps the focus inside and restores it afterward.
 */
export function Sheet({ title, onClose, children, isTall, isBlocking, ...dialogProps }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const top = useContext(SheetTop)
  const titleId = useId()

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-first]')?.focus()
    const stopFitting = fitAboveKeyboard(element)
    return () => {
      stopFitting?.()
      // The browser restores the focus only if the dialog is closed before
      // it is removed, and if the element that had the focus still exists.
      element?.close()
      // That element may leave the page together with the sheet.
      queueMicrotask(() => document.activeElement === document.body && focusHeading())
    }
  }, [])

  return (
    <dialog
      {...dialogProps}
      ref={dialog}
      className={`${styles.sheet} ${isTall ? styles.tall : ''} ${isBlocking ? styles.blocking : ''}`}
      aria-labelledby={titleId}
      closedby={onClose ? undefined : 'none'}
      onClose={({ currentTarget: sheet }) => {
        if (!sheet.isConnected) return
        // Reopens the sheet, because browsers that don't know `closedby` let Escape close it.
        if (onClose) onClose()
        else sheet.showModal()
      }}
    >
      <div className={styles.top}>
        <header className={`between ${styles.head}`}>
          <h2 id={titleId}>{title}</h2>
          {onClose && (
            <button
              type="button"
              className={`${textButton.button} ${styles.close}`}
              onClick={() => dialog.current?.close()}
            >
              Close
            </button>
          )}
        </header>
        <div role="status">{top}</div>
      </div>
      {children}
    </dialog>
  )
}

/**
 * Keeps the sheet above the keyboard: on an iPhone, the keyboard
 * covers the page instead of shrinking it.
 */
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
