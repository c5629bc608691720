import styles from './working-drawing.module.css'

type Point = readonly [x: number, y: number]
type Props = { label: string; at: Point; from: Point; leader: string }

/** A label and its leader line, which begins with a dot at the part of the drawing that the label names. */
export function Callout({ label, at: [x, y], from: [cx, cy], leader }: Props) {
  return (
    <g>
      <path className={styles.leader} d={`M${cx} ${cy}${leader}`} />
      <circle className={styles.dot} cx={cx} cy={cy} r="3" />
      <text className={styles.label} x={x} y={y}>
        {label}
      </text>
    </g>
  )
}
