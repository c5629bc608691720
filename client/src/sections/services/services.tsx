import { serviceDrawings } from '#brand/service-drawings.ts'
import * as processWords from '#brand/words/process.ts'
import * as words from '#brand/words/services.ts'
import { anchors } from '#shared/pages.ts'
import dimension from '../../ui/dimension.module.css'
import drawing from '../../ui/drawing.module.css'
import { keepTogether } from '../../ui/keep-together.tsx'
import { Section } from '../../ui/section.tsx'
import styles from './services.module.css'

const hatch = Array.from({ length: 20 }, (_, index) => `M${index * 14} 162l10-11`).join('')

/** The four services, whose drawings join to one: they stand on the same ground. */
export function Services() {
  return (
    <Section id={anchors.services} title={words.title} intro={words.intro}>
      <ol className={styles.sheets}>
        {words.services.map(({ id, title, description, features }) => (
          <li key={id} id={id} className={styles.sheet}>
            <div className={styles.drawing}>
              <svg viewBox="0 0 280 164" width="280" height="164" fill="none" aria-hidden="true">
                <g className={styles.shared}>
                  {/* A whole number of dashes, so that the line goes on in the next drawing. */}
                  <path className={drawing.axis} pathLength="276" d="M0 64h280" />
                  <path className={drawing.strong} shapeRendering="crispEdges" d="M-1 150h282" />
                </g>
                <path className={drawing.faint} d={hatch} />
                {serviceDrawings[id].map(([style, d]) => (
                  <path key={d} className={drawing[style]} d={d} />
                ))}
              </svg>
            </div>
            <div className={styles.text}>
              <h3>{title}</h3>
              <p className="muted">{keepTogether(description)}</p>
              <ul>
                {features.map((feature) => (
                  <li key={feature}>{feature}</li>
                ))}
              </ul>
            </div>
          </li>
        ))}
      </ol>
      <Process />
    </Section>
  )
}

/** The four steps, drawn as parts of one dimension line. */
function Process() {
  return (
    <div className={styles.process}>
      <h3>{processWords.title}</h3>
      <ol className={styles.steps}>
        {processWords.steps.map(({ name, time }) => (
          <li key={name} className={styles.step}>
            <span className={`${dimension.figure} ${styles.stepName}`}>{name}</span>
            <span className={`${styles.stepTime} muted`}>{keepTogether(time)}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}
