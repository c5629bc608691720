import styles from './no-lead.module.css'

/** Shown next to the list until the owner chooses a lead. */
export function NoLead() {
  return (
    <div className={styles.paper}>
      <p>
        Choose a request on the left.{' '}
        <span>
          Press <kbd>?</kbd> for keyboard shortcuts.
        </span>
      </p>
    </div>
  )
}
