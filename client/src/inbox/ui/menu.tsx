import { type MouseEvent, type ReactNode, useId } from 'react'
import { closePopover } from '../../ui/popovers.ts'
import styles from './menu.module.css'

type Props = {
  label: ReactNode
  /** Buttons and links, each in an `li`. */
  children: ReactNode
  className: string | undefined
  isCurrent?: boolean
}

/**
 * A button that opens a list of actions: beside the button on a wide
 * screen, at the bottom of the screen on a phone.
 */
export function Menu({ label, children, className, isCurrent }: Props) {
  const id = useId()
  // Each menu has its own anchor, so that it opens beside its own button.
  const anchor = `--${id.replace(/\W/g, '')}`
  const closeOnChoice = (event: MouseEvent<HTMLElement>) => {
    if ((event.target as Element).closest('button, a')) closePopover(event.currentTarget)
  }
  return (
    <>
      <button
        type="button"
        className={`touch ${styles.button} ${className}`}
        popoverTarget={id}
        aria-current={isCurrent ? 'page' : undefined}
        style={{ anchorName: anchor }}
      >
        <span>{label}</span>
        <svg viewBox="0 0 12 8" width="12" height="8" aria-hidden="true">
          <path d="M1 1.5 6 6.5 11 1.5" fill="none" stroke="currentColor" strokeWidth="2" />
        </svg>
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter in the list clicks, too. */}
      <ul
        id={id}
        popover="auto"
        className={styles.list}
        style={{ positionAnchor: anchor }}
        onClick={closeOnChoice}
      >
        {children}
      </ul>
    </>
  )
}
