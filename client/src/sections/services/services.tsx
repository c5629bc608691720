import * as words from '#brand/words/services.ts'
import { anchors } from '#shared/pages.ts'
import { keepTogether } from '../../ui/keep-together.tsx'
import { Section } from '../../ui/section.tsx'
import { Process } from '../process/process.tsx'
import styles from './services.module.css'
import { SheetDrawing } from './sheet-drawing.tsx'

const twoDigits = (number: number) => String(number).padStart(2, '0')

export function Services() {
  return (
    <Section id={anchors.services} title={words.title} intro={words.intro}>
      <ol className={styles.sheets}>
        {words.services.map(({ id, title, description, features }, index) => (
          <li key={id} id={id} className={styles.sheet}>
            <div className={styles.drawing}>
              <SheetDrawing service={id} />
              <span className={styles.number} aria-hidden="true">
                {twoDigits(index + 1)}
              </span>
            </div>
            <div className={styles.text}>
              <h3>{title}</h3>
              <p>{keepTogether(description)}</p>
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
