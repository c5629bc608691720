import { serviceDrawings } from '#brand/service-drawings.ts'
import type { ServiceId } from '#brand/words/services.ts'
import styles from './sheet-drawing.module.css'

type Props = { service: ServiceId }

export function SheetDrawing({ service }: Props) {
  return (
    <svg className={styles.drawing} viewBox="0 0 280 150" width="280" height="150" aria-hidden="true">
      {serviceDrawings[service].map(([style, d]) => (
        <path key={d} className={styles[style]} d={d} />
      ))}
    </svg>
  )
}
