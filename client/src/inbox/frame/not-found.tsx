import { Link } from 'react-router-dom'
import { inboxPath } from '#shared/inbox/api.ts'
import { useShowApp } from './app-element.ts'
import styles from './not-found.module.css'

export function NotFound() {
  useShowApp()
  return (
    <div className={styles.page}>
      <h1>Nothing here</h1>
      <p>This request may have been erased, or the address is mistyped.</p>
      <p>
        <Link to={inboxPath}>Go to open requests</Link>
      </p>
    </div>
  )
}
