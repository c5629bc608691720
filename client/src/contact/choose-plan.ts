import { budgetTiers } from '#shared/business.ts'

/** The part of the address that names a plan: `/?plan=professional#contact`. */
export const planParameter = 'plan'

/** Selects the budget of a plan, or none for an empty name. False if there is no form to do it in, or no such plan. */
export function choosePlan(plan: string | null): boolean {
  const budget = document.querySelector<HTMLSelectElement>('select[name="budget"]')
  if (!budget || plan === null || (plan && !Object.hasOwn(budgetTiers, plan))) return false
  // The document may come with the plan of its address chosen; a reset is to empty the field all the same.
  for (const option of budget.options) option.defaultSelected = option.value === ''
  budget.value = plan
  // As if the visitor had chosen: whoever keeps the draft hears of it.
  budget.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}
