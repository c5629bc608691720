import styles from './working-drawing.module.css'

/** The browser window and its content, except the picture. */
export function DrawnPage() {
  return (
    <g>
      <rect className={styles.paper} x="70" y="56" width="500" height="408" rx="6" />
      <path className={styles.line} d="M70 88h500" />
      <g className={styles.line}>
        <circle cx="88" cy="72" r="5" />
        <circle cx="105" cy="72" r="5" />
        <circle cx="122" cy="72" r="5" />
        <rect x="146" y="63" width="250" height="18" rx="9" />
        <path d="M157 72h92" className={styles.faint} />
      </g>
      <path className={styles.fine} d="M98 464V88M320 262V88M542 464V88" />
      <g className={styles.solid}>
        <rect x="98" y="108" width="196" height="15" />
        <rect x="98" y="130" width="148" height="15" />
      </g>
      <path className={styles.faint} d="M98 164h186M98 178h168" />
      <rect className={styles.action} x="98" y="198" width="116" height="36" rx="3" />
      <path className={styles.onAction} d="M118 216h76" />
      <path className={styles.faint} d="M98 262h444" />
      <Plan x={98} />
      <Plan x={252} isPopular />
      <Plan x={406} />
      <path className={styles.faint} d="M98 432h120M98 446h84M262 432h76M262 446h52" />
    </g>
  )
}

function Plan({ x, isPopular = false }: { x: number; isPopular?: boolean }) {
  return (
    <g>
      <rect
        className={isPopular ? styles.strong : styles.line}
        x={x}
        y="284"
        width="136"
        height="124"
        rx="3"
      />
      {isPopular && <rect className={styles.action} x={x + 36} y="277" width="64" height="14" rx="2" />}
      <path className={styles.faint} d={`M${x + 16} 306h48M${x + 16} 362h104M${x + 16} 376h82`} />
      <path className={styles.solid} d={`M${x + 16} 318h62v20h-62z`} />
      <path className={styles.line} d={`M${x + 16} 391h104`} />
    </g>
  )
}
