import { budgetTiers } from '#shared/business.ts'

/** The part of the address that names a plan: `/?plan=professional#contact`. */
export const planParameter = 'plan'

/** Selects the budget that goes with a plan. False if there is no form to do it in, or no such plan. */
export function choosePlan(plan: string | null): boolean {
  const budget = document.querySelector<HTMLSelectElement>('select[name="budget"]')
  if (!budget || !plan || !Object.hasOwn(budgetTiers, plan)) return false
  budget.value = plan
  // As if the visitor had chosen: whoever keeps the draft hears of it.
  budget.dispatchEvent(new Event('input', { bubbles: true }))
  return true
}
