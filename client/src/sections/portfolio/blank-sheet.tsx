import { closing, closingTime, startProject } from '#brand/words/portfolio.ts'
import { anchors } from '#shared/pages.ts'
import { ButtonLink } from '../../ui/button.tsx'
import drawing from '../../ui/drawing.module.css'
import styles from './blank-sheet.module.css'

/** The visitor's own site, not drawn yet. */
export const BlankSheet = () => (
  <div className={styles.blank} data-print="never">
    <div className={styles.sheet}>
      <svg className={styles.axes} aria-hidden="true">
        <line className={drawing.axis} x1="50%" x2="50%" y2="100%" />
        <line className={drawing.axis} y1="50%" x2="100%" y2="50%" />
      </svg>
      <p>{closing}</p>
      <ButtonLink href={`#${anchors.contact}`}>{startProject}</ButtonLink>
    </div>
    <p className={styles.time}>{closingTime}</p>
  </div>
)
