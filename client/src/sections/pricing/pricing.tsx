import type { MouseEvent } from 'react'
import * as words from '#brand/words/pricing.ts'
import { plans } from '#facts/plans.ts'
import { includedInAllPlans } from '#facts/promises.ts'
import { costOfFirstMonths } from '#shared/fact-checks/numbers.ts'
import { formatMoney } from '#shared/money.ts'
import { anchors, pages } from '#shared/pages.ts'
import { choosePlan, planParameter } from '../../contact/form-values.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PlumbLine } from '../../ui/plumb-line.tsx'
import { Section } from '../../ui/section.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import styles from './pricing.module.css'

export function Pricing() {
  return (
    <div className={styles.band} data-theme="blueprint">
      <PlumbLine isHanging />
      <Section id={anchors.pricing} title={words.title} intro={words.intro}>
        <div className={`stack ${styles.plans}`}>
          {plans.map((plan) => (
            <PlanCard key={plan.id} plan={plan} />
          ))}
        </div>
        <IncludedInAll />
        <p className={styles.footer}>
          {words.beforeContact}
          <a className="reach" href={`#${anchors.contact}`}>
            {words.contact}
          </a>
          {words.afterContact}
        </p>
      </Section>
    </div>
  )
}

function PlanCard({ plan }: { plan: (typeof plans)[number] }) {
  const { id, name, popular, setup, monthly, size, hosting, features } = plan
  const headingId = `plan-${id}`

  const onGetStarted = (event: MouseEvent) => {
    const opensNewTab = event.metaKey || event.ctrlKey || event.shiftKey
    if (opensNewTab || !choosePlan(id)) return
    // Avoids reloading the page.
    event.preventDefault()
    location.assign(`#${anchors.contact}`)
  }

  return (
    <article className={`box ${styles.plan} ${popular ? styles.popular : ''}`} aria-labelledby={headingId}>
      {popular && plans.length > 1 && <p className={styles.badge}>{words.popular}</p>}
      <h3 id={headingId}>{name}</h3>
      <dl className={styles.figures}>
        <div>
          <dt className="muted">{words.setup}</dt>
          <dd>{formatMoney(setup)}</dd>
        </div>
        <div>
          <dt className="muted">{words.monthly}</dt>
          <dd>{formatMoney(monthly)}</dd>
        </div>
        <div className={styles.sum}>
          <dt>{words.firstMonths}</dt>
          <dd>{formatMoney(costOfFirstMonths(plan))}</dd>
        </div>
      </dl>
      <p className={`${styles.description} muted`}>{words.descriptions[id]}</p>
      <ul className={`${styles.checks} ${styles.features}`}>
        {[size, hosting, ...features].map((feature) => (
          <li key={feature}>{feature}</li>
        ))}
      </ul>
      <ButtonLink
        href={`${pages.home}?${planParameter}=${id}#${anchors.contact}`}
        kind={popular ? 'primary' : 'plain'}
        aria-describedby={headingId}
        data-print="never"
        onClick={onGetStarted}
      >
        {words.getStarted}
      </ButtonLink>
    </article>
  )
}

/** What all plans include. Each explanation is in a tooltip. */
function IncludedInAll() {
  return (
    <div className={`box ${styles.included}`}>
      <h3>{words.includedTitle}</h3>
      <ul className={`${styles.checks} ${styles.terms}`}>
        {includedInAllPlans.map(({ id, name }, index) => (
          <li key={id}>
            <Tooltip id={`meaning-${index + 1}`} term={name} meaning={words.meanings[id]} />
          </li>
        ))}
      </ul>
    </div>
  )
}
