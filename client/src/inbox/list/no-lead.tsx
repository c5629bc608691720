import styles from './no-lead.module.css'

/** Shown beside the list while no lead is open. */
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
