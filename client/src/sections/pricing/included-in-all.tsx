import { includedInAllPlans } from '#shared/business/plans.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import styles from './included-in-all.module.css'

/** The explanations are also on the page, because not everyone can use a tooltip. */
export function IncludedInAll() {
  return (
    <div className={styles.included}>
      <h3 className={styles.heading}>All plans include</h3>
      <ul className={styles.terms}>
        {includedInAllPlans.map(({ name, meaning }, index) => (
          <li key={name}>
            <Tooltip id={`meaning-${index + 1}`} term={name} meaning={meaning} />
          </li>
        ))}
      </ul>
      <details className={styles.details}>
        <summary>What these four mean</summary>
        <dl>
          {includedInAllPlans.map(({ name, meaning }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  )
}
