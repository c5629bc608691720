import type { MouseEvent } from 'react'
import { formatDollars, type plans } from '#shared/business/plans.ts'
import { anchors, pages } from '#shared/pages.ts'
import { choosePlan, planParameter } from '../../contact/choose-plan.ts'
import { ButtonLink } from '../../ui/button-link.tsx'
import styles from './pricing.module.css'

type Props = { plan: (typeof plans)[number] }

export function PlanCard({ plan }: Props) {
  const { id, name, description, popular, setupDollars, monthlyDollars, size, hosting, features } = plan
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
      {popular && <p className={styles.badge}>Most Popular</p>}
      <h3 id={headingId}>{name}</h3>
      <p className={styles.description}>{description}</p>
      <dl className={styles.figures}>
        <div>
          <dt>One-time setup</dt>
          <dd>{formatDollars(setupDollars)}</dd>
        </div>
        <div>
          <dt>Monthly</dt>
          <dd>{formatDollars(monthlyDollars)}</dd>
        </div>
      </dl>
      <ul className={styles.features}>
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
        Get Started
      </ButtonLink>
    </article>
  )
}
