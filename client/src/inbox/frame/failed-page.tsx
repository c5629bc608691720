import { useShowApp } from './app-element.ts'
import styles from './not-found.module.css'

/** Shown instead of a page that failed or whose script could not be loaded, for example because a new version is running. */
export function FailedPage() {
  useShowApp()
  return (
    <div className={styles.page} role="alert">
      <h1>This page could not be shown</h1>
      <p>What you typed is kept as a draft.</p>
      <p>
        <a href={location.href}>Try again</a>
      </p>
    </div>
  )
}
