import * as words from '#brand/words/pricing.ts'
import { plans } from '#facts/plans.ts'
import { anchors } from '#shared/pages.ts'
import { Section } from '../../ui/section.tsx'
import { IncludedInAll } from './included-in-all.tsx'
import { PlanCard } from './plan-card.tsx'
import styles from './pricing.module.css'

export function Pricing() {
  return (
    <div className={styles.band} data-theme="blueprint">
      <Section id={anchors.pricing} title={words.title} intro={words.intro}>
        <div className={styles.plans}>
          {plans.map((plan) => (
            <PlanCard key={plan.id} plan={plan} />
          ))}
        </div>
        <IncludedInAll />
        <p className={styles.footer}>
          {words.beforeContact}
          <a href={`#${anchors.contact}`}>{words.contact}</a>
          {words.afterContact}
        </p>
      </Section>
    </div>
  )
}
