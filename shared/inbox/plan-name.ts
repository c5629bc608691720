import { plans } from '#facts/plans.ts'

/**
 * The name of the plan that a visitor chose as the budget, "Custom" for a custom budget, or "No
 * plan chosen". Of a plan that the agency no longer has, only the ID is known.
 */
export function planName(budget: string): string {
  if (budget === '') return 'No plan chosen'
  return plans.find(({ id }) => id === budget)?.name ?? (budget === 'custom' ? 'Custom' : budget)
}
