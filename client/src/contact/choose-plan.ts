import { budgetTiers } from '#shared/budget-tiers.ts'

/** The query parameter for a plan: `/?plan=professional#contact`. */
export const planParameter = 'plan'

/** Selects a plan's budget; an empty string clears it. Returns false if the form or the plan doesn't exist. */
export function choosePlan(plan: string | null): boolean {
  const budget = document.querySelector<HTMLSelectElement>('select[name="budget"]')
  if (!budget || plan === null || (plan && !Object.hasOwn(budgetTiers, plan))) return false
  // A reset must clear the field even if the server preselected a plan.
  for (const option of budget.options) option.defaultSelected = option.value === ''
  budget.value = plan
  // Setting `value` doesn't fire an `input` event, so dispatch one to save the draft.
  budget.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}
