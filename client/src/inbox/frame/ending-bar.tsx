import styles from './bars.module.css'
import { useOwner } from './session.ts'

/** Warns before the session ends. Omit `role` inside a live region. */
export function EndingBar({ role }: { role?: 'alert' }) {
  const { isEnding, signInAgain } = useOwner()
  if (!isEnding) return null
  return (
    <div className={styles.bar} role={role}>
      <p>
        <strong>You'll be signed out in about a minute.</strong> What you type is kept.
      </p>
      <button type="button" onClick={() => signInAgain('Sign in again to stay in the inbox.')}>
        Stay signed in
      </button>
    </div>
  )
}
