import type { MouseEvent } from 'react'
import * as words from '#brand/words/pricing.ts'
import type { plans } from '#facts/plans.ts'
import { formatMoney } from '#shared/money.ts'
import { anchors, pages } from '#shared/pages.ts'
import { choosePlan, planParameter } from '../../contact/choose-plan.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import checks from '../../ui/check-list.module.css'
import styles from './pricing.module.css'

type Props = { plan: (typeof plans)[number] }

export function PlanCard({ plan }: Props) {
  const { id, name, popular, setup, monthly, size, hosting, features } = plan
  const headingId = `plan-${id}`

  const onGetStarted = (event: MouseEvent<HTMLAnchorElement>) => {
    const opensNewTab = event.metaKey || event.ctrlKey || event.shiftKey
    if (opensNewTab || !choosePlan(id)) return
    // Avoids reloading the page.
    event.preventDefault()
    // Setting the same hash again doesn't scroll.
    if (location.hash === `#${anchors.contact}`) document.getElementById(anchors.contact)?.scrollIntoView()
    else location.hash = anchors.contact
  }

  return (
    <article className={`${styles.plan} ${popular ? styles.popular : ''}`} aria-labelledby={headingId}>
      {popular && <p className={styles.badge}>{words.popular}</p>}
      <h3 id={headingId}>{name}</h3>
      <dl className={styles.figures}>
        <div>
          <dt>{words.setup}</dt>
          <dd>{formatMoney(setup)}</dd>
        </div>
        <div>
          <dt>{words.monthly}</dt>
          <dd>{formatMoney(monthly)}</dd>
        </div>
      </dl>
      <p className={styles.description}>{words.descriptions[id]}</p>
      <ul className={`${checks.list} ${styles.features}`}>
        <li className={styles.main}>{size}</li>
        <li className={styles.main}>{hosting}</li>
        {features.map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <ButtonLink
        href={`${pages.home}?${planParameter}=${id}#${anchors.contact}`}
        kind={popular ? 'primary' : 'plain'}
        aria-describedby={headingId}
        onClick={onGetStarted}
      >
        {words.getStarted}
      </ButtonLink>
    </article>
  )
}
