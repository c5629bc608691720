import styles from './dimension.module.css'

type Props = { figure: string; label: string }

/** A promise, drawn as a dimension line. */
export function Dimension({ figure, label }: Props) {
  return (
    <div className={styles.dimension}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.figure}>{figure}</dd>
    </div>
  )
}
