import { type LiveState, useLive } from '../data/use-live.ts'
import styles from './live-sign.module.css'

const words: Record<LiveState, string> = {
  live: 'Live',
  saving: 'Saving…',
  connecting: 'Reconnecting: this page may be out of date',
  offline: 'Offline: this page may be out of date',
}

/** Says whether the page is up to date. */
export function LiveSign() {
  const state = useLive()
  return (
    <p className={styles.sign} data-state={state} role="status">
      {words[state]}
    </p>
  )
}
