import { plans } from '#facts/plans.ts'

/** The name of the plan for a budget ("Professional"), or else "Custom" or "No plan chosen". */
export const planName = (budget: string): string =>
  plans.find(({ id }) => id === budget)?.name ?? (budget === 'custom' ? 'Custom' : 'No plan chosen')
