import * as words from '#brand/words/form.ts'
import { plans } from '#facts/plans.ts'
import { formatMoney } from '#shared/money.ts'
import { costOfFirstMonths } from '#shared/numbers.ts'
import styles from './chosen-plan.module.css'

/** A hidden line for each plan, with its prices. show-chosen-plan.ts shows the line of the plan that the visitor selects. */
export function ChosenPlan() {
  return plans.map((plan) => (
    <p key={plan.id} data-plan={plan.id} hidden className={styles.plan}>
      <strong>{plan.name}</strong>
      {words.planTerms(plan)}
      <a href="#budget">{words.changePlan}</a>
    </p>
  ))
}

/** A hidden line for each plan: the cost of its setup and first six months. */
export function PlanCost() {
  return plans.map((plan) => (
    <p key={plan.id} data-plan={plan.id} hidden>
      {words.planCost}
      <strong>{formatMoney(costOfFirstMonths(plan))}</strong>
    </p>
  ))
}
