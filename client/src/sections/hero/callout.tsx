import styles from './working-drawing.module.css'

type Props = { label: string; at: readonly [x: number, y: number]; leader: string }

/** A label and its leader line, which begins with a dot at the part of the drawing that the label names. */
export function Callout({ label, at: [x, y], leader }: Props) {
  return (
    <g>
      <path className={styles.halo} d={leader} />
      <path className={styles.leader} d={leader} />
      <path className={styles.dot} d={`${/^M[\d. ]+/.exec(leader)?.[0]}h0`} />
      <text className={styles.label} x={x} y={y}>
        {label}
      </text>
    </g>
  )
}
