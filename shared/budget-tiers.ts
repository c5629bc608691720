import { type PlanId, plans } from '#facts/plans.ts'
import { formatMoney } from './money.ts'

// Apart from money.ts, because an agency's facts may use that.

const planBudgets = Object.fromEntries(
  plans.map(({ id, name, budget: [from, to] }) => [id, `${name} (${formatMoney(from)}-${formatMoney(to)})`]),
) as Record<PlanId, string>

const largestBudget = Math.max(...plans.map(({ budget: [, to] }) => to))

/**
 * The form's budget options, keyed by stored value: one for each plan, and one for larger budgets.
 */
export const budgetTiers = {
  ...planBudgets,
  custom: `Custom (Over ${formatMoney(largestBudget)})`,
}

/** A stored budget as in the form. Of a plan that the agency no longer has, only the ID is known. */
export const budgetInWords = (budget: string): string =>
  Object.entries(budgetTiers).find(([value]) => value === budget)?.[1] ?? budget

/** "$400 setup and $79 a month"; undefined if the budget is no plan. */
export function planPrice(budget: string): string | undefined {
  const plan = plans.find(({ id }) => id === budget)
  return plan && `${formatMoney(plan.setup)} setup and ${formatMoney(plan.monthly)} a month`
}
