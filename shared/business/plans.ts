import type { Plan } from '../fact-checks/facts.ts'

/**
 * Amounts are whole numbers, in the currency that brand.ts names. `budget` is a range that must
 * contain the cost of setup and the first six months.
 */
export const plans = [
  {
    id: 'starter',
    name: 'Starter',
    setup: 200,
    monthly: 49,
    budget: [200, 500],
    popular: false,
    size: '5-page site',
    hosting: '1 year hosting included',
    features: ['Support included'],
  },
  {
    id: 'professional',
    name: 'Professional',
    setup: 400,
    monthly: 79,
    budget: [500, 1000],
    popular: true,
    size: '10 pages',
    hosting: '1 year hosting',
    features: ['Support included'],
  },
  {
    id: 'enterprise',
    name: 'Enterprise',
    setup: 1000,
    monthly: 129,
    budget: [1000, 2000],
    popular: false,
    size: 'Unlimited pages',
    hosting: '2 years hosting',
    features: ['Quarterly strategy calls', 'Support included'],
  },
] as const satisfies readonly Plan[]

export type PlanId = (typeof plans)[number]['id']
