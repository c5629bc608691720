import { plans } from '#shared/business.ts'

/** The name of a plan ("Professional"); for other budgets, the text of the form's option. */
export const planName = (budget: string): string =>
  plans.find(({ id }) => id === budget)?.name ?? (budget === 'custom' ? 'Custom' : 'No plan chosen')
