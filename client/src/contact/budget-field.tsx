import { noBudget } from '#brand/words/form.ts'
import { budgetTiers } from '#shared/budget-tiers.ts'
import { contactFields } from '#shared/contact-request.ts'
import { describeField, Field } from '../ui/field.tsx'
import { Prerendered, rendersAll } from '../ui/prerendered.tsx'
import { Select } from '../ui/select.tsx'
import styles from './chosen-plan.module.css'
import { PlanCost } from './chosen-plan.tsx'

const COST_ID = 'plan-cost'

type Props = { notes: string; error: string | undefined; isSending: boolean }

export function BudgetField({ notes, error, isSending }: Props) {
  return (
    <Field id="budget" label={contactFields.budget.label} error={error}>
      <div className={styles.budget}>
        <Select
          id="budget"
          name="budget"
          disabled={isSending}
          {...describeField('budget', { notes: `${notes} ${COST_ID}`, error })}
        >
          <option value="">{noBudget}</option>
          {Object.entries(budgetTiers).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
        <div id={COST_ID} className={styles.cost} aria-live="polite">
          <Prerendered id="cost-part">{rendersAll && <PlanCost />}</Prerendered>
        </div>
      </div>
    </Field>
  )
}
