import type { Plan } from './facts.ts'

/** The budget range of a plan must include the cost of its setup and this many months. */
const BUDGET_MONTHS = 6

export const costOfFirstMonths = ({ setup, monthly }: Pick<Plan, 'setup' | 'monthly'>): number =>
  setup + BUDGET_MONTHS * monthly
