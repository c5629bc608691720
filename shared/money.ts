import { type PlanId, plans } from '#facts/plans.ts'
import { moneyPattern, numberPattern } from './computed-facts.ts'
import { writeNumber } from './numbers.ts'

/** 5000 -> "5,000". */
export const formatNumber = (number: number): string => writeNumber(numberPattern, number)

/** 1000 -> "$1,000". */
export const formatMoney = (amount: number): string => writeNumber(moneyPattern, amount)

const planBudgets = Object.fromEntries(
  plans.map(({ id, name, budget: [from, to] }) => [id, `${name} (${formatMoney(from)}-${formatMoney(to)})`]),
) as Record<PlanId, string>

const largestBudget = Math.max(...plans.map(({ budget: [, to] }) => to))

/** The form's budget options, keyed by stored value: one for each plan, and one for larger budgets. */
export const budgetTiers = {
  ...planBudgets,
  custom: `Custom (Over ${formatMoney(largestBudget)})`,
}
