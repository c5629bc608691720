import * as words from '#brand/words/pricing.ts'
import { includedInAllPlans } from '#facts/promises.ts'
import checks from '../../ui/check-list.module.css'
import { Tooltip } from '../../ui/tooltip.tsx'
import styles from './included-in-all.module.css'

/** What all plans include. Each explanation is in a tooltip and in a list below, because not everyone can use a tooltip. */
export function IncludedInAll() {
  return (
    <div className={styles.included}>
      <h3 className={styles.heading}>{words.includedTitle}</h3>
      <ul className={`${checks.list} ${styles.terms}`}>
        {includedInAllPlans.map(({ id, name }, index) => (
          <li key={id}>
            <Tooltip id={`meaning-${index + 1}`} term={name} meaning={words.meanings[id]} />
          </li>
        ))}
      </ul>
      <details className={styles.details}>
        <summary>{words.meaningsTitle}</summary>
        <dl>
          {includedInAllPlans.map(({ id, name }) => (
            <div key={id}>
              <dt>{name}</dt>
              <dd>{words.meanings[id]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}
