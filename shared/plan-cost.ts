/** The budget range of a plan must include the cost of its setup and this many months. */
export const BUDGET_MONTHS = 6

export const costOfFirstMonths = ({ setup, monthly }: { setup: number; monthly: number }): number =>
  setup + BUDGET_MONTHS * monthly
