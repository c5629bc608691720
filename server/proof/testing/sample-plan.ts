import { plans } from '#facts/plans.ts'
import { budgetTiers } from '#shared/budget-tiers.ts'

const [firstPlan] = plans

/** The plan that sample requests ask for. */
export const samplePlan = plans.find(({ popular }) => popular) ?? firstPlan
/** The name of that plan's budget, such as "Professional ($500-$1,000)". */
export const sampleBudget = budgetTiers[samplePlan.id]
export const largestPlan = plans.at(-1) ?? firstPlan
export const smallestPlan = firstPlan
