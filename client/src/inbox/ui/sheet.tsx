import { type ReactNode, useId, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import textButton from '../../ui/text-button.module.css'
import { focusHeading } from './focus-heading.ts'
import styles from './sheet.module.css'

type Props = {
  title: string
  onClose: () => void
  /** The element with `data-first` gets the focus; if there is none, the first control does. */
  children: ReactNode
  /** Whether the sheet has full height on a phone, to leave room for writing. */
  isTall?: boolean
  /** The sheet can't be closed. */
  isLocked?: boolean
  /** The sheet can't be closed, and hides the page behind it. */
  isBlocking?: boolean
}

let slots: readonly HTMLElement[] = []
const slotChanges = new EventTarget()

function setSlots(next: readonly HTMLElement[]) {
  slots = next
  slotChanges.dispatchEvent(new Event('change'))
}

function onSlotChange(listener: () => void) {
  slotChanges.addEventListener('change', listener)
  return () => slotChanges.removeEventListener('change', listener)
}

/** The place for notices in the open sheet, which would otherwise cover them. Undefined unless a closable sheet is open. */
export const useSheetSlot = (): HTMLElement | undefined =>
  useSyncExternalStore(onSlotChange, () => slots.at(-1))

/** A modal dialog; on a phone, it opens from the bottom. The browser keeps the focus inside and restores it afterward. */
export function Sheet({ title, onClose, children, isTall, isBlocking, isLocked = isBlocking }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const slot = useRef<HTMLDivElement>(null)
  const titleId = useId()

  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    element?.querySelector<HTMLElement>('[data-first]')?.focus()
    const stopFitting = fitAboveKeyboard(element)
    return () => {
      stopFitting?.()
      // The browser restores the focus only if the dialog is closed before it is removed, and if the element that had the
      // focus still exists.
      element?.close()
      if (document.activeElement === document.body || element?.contains(document.activeElement))
        focusHeading()
    }
  }, [])

  useLayoutEffect(() => {
    const own = slot.current
    if (!own || isBlocking) return
    setSlots([...slots, own])
    return () => setSlots(slots.filter((other) => other !== own))
  }, [isBlocking])

  const kinds = [styles.sheet, isTall && styles.tall, isBlocking && styles.blocking]
  return (
    <dialog
      ref={dialog}
      className={kinds.filter(Boolean).join(' ')}
      aria-labelledby={titleId}
      closedby={isLocked ? 'none' : undefined}
      onClose={({ currentTarget: sheet }) => {
        if (!sheet.isConnected) return
        // Reopens the sheet, because browsers that don't know `closedby` let Escape close it.
        if (isLocked) sheet.showModal()
        else onClose()
      }}
    >
      <div className={styles.top}>
        <header className={styles.head}>
          <h2 id={titleId}>{title}</h2>
          {!isLocked && (
            <button
              type="button"
              className={`${textButton.button} ${styles.close}`}
              onClick={() => dialog.current?.close()}
            >
              Close
            </button>
          )}
        </header>
        <div ref={slot} className={styles.slot} role="status" />
      </div>
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
