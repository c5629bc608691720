import { plans } from '#shared/business.ts'

/** "Professional"; for other budgets, what the form says. */
export const planName = (budget: string): string =>
  plans.find(({ id }) => id === budget)?.name ?? (budget === 'custom' ? 'Custom' : 'No plan chosen')
