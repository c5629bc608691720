import { budgetTiers } from '#shared/business.ts'

/** The query parameter for a plan: `/?plan=professional#contact`. */
export const planParameter = 'plan'

/** Selects a plan's budget, or none for ''. Returns false without a form or for an unknown plan. */
export function choosePlan(plan: string | null): boolean {
  const budget = document.querySelector<HTMLSelectElement>('select[name="budget"]')
  if (!budget || plan === null || (plan && !Object.hasOwn(budgetTiers, plan))) return false
  // The server may have preselected a plan; a reset must still clear the field.
  for (const option of budget.options) option.defaultSelected = option.value === ''
  budget.value = plan
  // Notifies the draft, as a visitor's choice would.
  budget.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}
