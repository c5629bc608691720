import { plans } from '#facts/plans.ts'

/** The plan for a budget ("Professional"); "Custom" or "No plan chosen" for the other budgets. */
export const planName = (budget: string): string =>
  plans.find(({ id }) => id === budget)?.name ?? (budget === 'custom' ? 'Custom' : 'No plan chosen')
