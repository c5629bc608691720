import styles from './working-drawing.module.css'

/** The phone in front of the page. */
export function DrawnPhone() {
  return (
    <g>
      <rect className={styles.paper} x="476" y="322" width="98" height="172" rx="12" />
      <path className={styles.line} d="M512 332h26" />
      <rect className={styles.solid} x="488" y="346" width="62" height="9" />
      <rect className={styles.solid} x="488" y="360" width="46" height="9" />
      <rect className={styles.well} x="488" y="378" width="74" height="44" />
      <path className={styles.line} d="M495 416h60M500 400l25-14 25 14M504 398v18M546 398v18" />
      <rect className={styles.action} x="488" y="432" width="74" height="18" rx="2" />
      <path className={styles.onAction} d="M506 441h38" />
      <path className={styles.faint} d="M488 462h74M488 472h56" />
      <path className={styles.line} d="M510 486h30" />
    </g>
  )
}
