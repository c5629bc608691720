import type { Plan } from './facts.ts'

/** A plan's budget tier covers its setup and its first six months. */
const BUDGET_MONTHS = 6

export const costOfFirstMonths = ({ setup, monthly }: Pick<Plan, 'setup' | 'monthly'>): number =>
  setup + BUDGET_MONTHS * monthly
