import { plans } from '#facts/plans.ts'

/**
 * The name of the plan that a visitor chose as the budget, "Custom" for a custom budget, or "No
 * plan chosen".
 */
export const planName = (budget: string): string =>
  plans.find(({ id }) => id === budget)?.name ?? (budget === 'custom' ? 'Custom' : 'No plan chosen')
