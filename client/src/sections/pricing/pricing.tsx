import { plans } from '#shared/business/plans.ts'
import { anchors } from '#shared/pages.ts'
import { Section } from '../../ui/section.tsx'
import { IncludedInAll } from './included-in-all.tsx'
import { PlanCard } from './plan-card.tsx'
import styles from './pricing.module.css'

export function Pricing() {
  return (
    <Section
      id={anchors.pricing}
      title="Two prices, nothing hidden"
      intro="Each plan is one price to build the site and one price a month to keep it. Pick the closest; we settle the rest in the quote."
    >
      <div className={styles.plans}>
        {plans.map((plan) => (
          <PlanCard key={plan.id} plan={plan} />
        ))}
      </div>
      <IncludedInAll />
      <p className={styles.footer}>
        Need something else? <a href={`#${anchors.contact}`}>Contact us</a> for a custom quote.
      </p>
    </Section>
  )
}
