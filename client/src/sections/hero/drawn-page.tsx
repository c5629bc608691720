import styles from './working-drawing.module.css'

/** Part of the working drawing: the browser window behind the phone, with three prices. */
export function DrawnPage() {
  return (
    <g>
      <rect className={styles.paper} x="120" y="186" width="190" height="58" rx="4" />
      <path className={styles.line} d="M120 197h190" />
      <g className={styles.solid}>
        <circle cx="161" cy="191.5" r="1.5" />
        <circle cx="167" cy="191.5" r="1.5" />
        <circle cx="173" cy="191.5" r="1.5" />
      </g>
      <Plan x={162} />
      <Plan x={211} isPopular />
      <Plan x={260} />
    </g>
  )
}

function Plan({ x, isPopular = false }: { x: number; isPopular?: boolean }) {
  return (
    <g>
      <rect className={isPopular ? styles.strong : styles.line} x={x} y="205" width="41" height="32" rx="2" />
      {isPopular && <rect className={styles.badge} x={x + 10} y="202" width="21" height="6" rx="1" />}
      <path className={styles.solid} d={`M${x + 6} 213h18v7H${x + 6}z`} />
      <path className={styles.faint} d={`M${x + 6} 226h29M${x + 6} 231h20`} />
    </g>
  )
}
