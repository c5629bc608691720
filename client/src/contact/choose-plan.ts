import { budgetTiers } from '#shared/business.ts'

/** The query parameter for a plan: `/?plan=professional#contact`. */
export const planParameter = 'plan'

/** Selects a plan's budget; an empty string clears it. Returns false if there is no form, or no such plan. */
export function choosePlan(plan: string | null): boolean {
  const budget = document.querySelector<HTMLSelectElement>('select[name="budget"]')
  if (!budget || plan === null || (plan && !Object.hasOwn(budgetTiers, plan))) return false
  // The server may have preselected a plan; a reset must still clear the field.
  for (const option of budget.options) option.defaultSelected = option.value === ''
  budget.value = plan
  // Setting `value` fires no event, and the draft is saved on one.
  budget.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}
