import { useEffect, useState } from 'react'
import { Mark } from '../../ui/mark.tsx'
import { useShowApp } from './app-element.ts'
import styles from './top-bar.module.css'

const PATIENCE_MS = 4000

/**
 * Shows what the document showed before the application loaded (see shell.ts), until the server says who is signed in.
 */
export function Opening() {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [])
  useShowApp(isSlow)
  return (
    <div className={styles.bar}>
      <p className={styles.brand}>
        <Mark className={styles.bob} />
        Inbox
      </p>
      <p role="status">{isSlow && 'The server is not responding. Trying again…'}</p>
    </div>
  )
}
