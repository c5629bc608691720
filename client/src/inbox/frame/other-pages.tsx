import { type ReactNode, useEffect } from 'react'
import { Link } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { Mark } from '../../ui/mark.tsx'
import { focusHeading } from '../ui/focus.ts'
import styles from './frame.module.css'
import bar from './top-bar.module.css'

/** Shown for an address without a page, and for a request that was erased. */
export function NoSuchPage() {
  // What had the focus may have been erased.
  useEffect(() => {
    if (document.activeElement?.matches('body, main')) focusHeading()
  }, [])
  return (
    <div className={`stack ${styles.note}`}>
      <h1>Nothing here</h1>
      <p>This request may have been erased, or the address is mistyped.</p>
      <p>
        <Link className="touch" to={inboxPath}>
          Go to open requests
        </Link>
      </p>
    </div>
  )
}

/**
 * Shown instead of a page that failed or whose script could not be
 * loaded, for example because a new version is running.
 */
export function FailedPage() {
  return (
    <div className={`stack ${styles.note}`} role="alert">
      <h1>This page could not be shown</h1>
      <p>What you typed is kept as a draft.</p>
      <p>
        <a className="touch" href={location.href}>
          Try again
        </a>
      </p>
    </div>
  )
}

/** Shown until the application has loaded, and if the server doesn't respond then. */
export function Opening({ children }: { children?: ReactNode }) {
  return (
    <div className={`row ${bar.bar}`}>
      <p className="brand">
        <Mark />
        Inbox
      </p>
      <p role="status">{children}</p>
    </div>
  )
}
