import styles from './no-lead.module.css'

/** Beside the list, while no lead is open. */
export function NoLead() {
  return (
    <p className={styles.hint}>
      Choose a request on the left. Press <kbd>?</kbd> for the keyboard.
    </p>
  )
}
