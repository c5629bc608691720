import styles from './working-drawing.module.css'

/** The picture in the drawn page: the front of a house, with roof pitch, axis and plumb bob. */
export function DrawnHouse() {
  return (
    <g>
      <rect className={styles.well} x="320" y="108" width="222" height="132" />
      <path className={styles.line} d="M334 226h194" />
      <path
        className={styles.faint}
        d="M340 232l6-6M354 232l6-6M368 232l6-6M382 232l6-6M396 232l6-6M410 232l6-6M424 232l6-6M438 232l6-6M452 232l6-6M466 232l6-6M480 232l6-6M494 232l6-6M508 232l6-6"
      />
      <path className={styles.strong} d="M344 174l87-50 87 50M356 168v58M506 168v58" />
      <path className={styles.line} d="M350 178l81-46 81 46M474 149v-21h16v30" />
      <path className={styles.faint} d="M372 166h118M386 157h90M402 148h58" />
      <path
        className={styles.line}
        d="M370 186h30v24h-30zM385 186v24M370 198h30M462 186h30v24h-30zM477 186v24M462 198h30"
      />
      <path className={styles.line} d="M419 226v-38h24v38" />
      <path className={styles.fine} d="M431 112v12" />
      <path className={styles.line} d="M350 146h22v-13zM528 124v102M523 124h10M523 226h10" />
      <path className={styles.string} d="M431 124v46" />
      <path className={styles.action} d="M428 170h6v2h2v5l-5 9-5-9v-5h2z" />
    </g>
  )
}
