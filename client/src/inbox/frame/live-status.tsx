import { type LiveState, useLive } from '../data/use-live.ts'
import styles from './live-status.module.css'

const words: Record<LiveState, string> = {
  connecting: '',
  live: 'Live',
  saving: 'Saving…',
  lost: 'Reconnecting: this page may be out of date',
  offline: 'Offline: this page may be out of date',
}

/** Shows whether the page is up to date and whether a change is being saved. Omit `role` inside a live region. */
export function LiveStatus({ role }: { role?: 'status' }) {
  const state = useLive()
  return (
    <p className={styles.status} data-state={state} role={role}>
      {words[state]}
    </p>
  )
}
