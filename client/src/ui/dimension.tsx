import styles from './dimension.module.css'

type Props = { figure: string; label: string }

/** A figure with a label, drawn like a measurement on a blueprint. */
export function Dimension({ figure, label }: Props) {
  return (
    <div className={styles.dimension}>
      <dt className={`${styles.label} muted small`}>{label}</dt>
      <dd className={styles.figure}>{figure}</dd>
    </div>
  )
}
