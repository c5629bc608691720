import type { Plan } from '#shared/facts.ts'

export const plans = [
  {
    id: 'stall',
    name: 'Stall',
    setup: 350,
    monthly: 25,
    budget: [350, 600],
    popular: false,
    size: 'One page',
    hosting: 'Hosting for a year',
    features: ['Orders by email'],
  },
  {
    id: 'corner-shop',
    name: 'Corner Shop',
    setup: 900,
    monthly: 60,
    budget: [600, 1500],
    popular: false,
    size: 'Up to 30 goods',
    hosting: 'Hosting for a year',
    features: ['Card payments'],
  },
  {
    id: 'high-street',
    name: 'High Street',
    setup: 1800,
    monthly: 110,
    budget: [1500, 3000],
    popular: true,
    size: 'Up to 300 goods',
    hosting: 'Hosting for two years',
    features: ['Card payments', 'Stock counts'],
  },
  {
    id: 'market-hall',
    name: 'Market Hall',
    setup: 4000,
    monthly: 240,
    budget: [3000, 6000],
    popular: false,
    size: 'Several sellers',
    hosting: 'Hosting for two years',
    features: ['Card payments', 'Stock counts', 'A visit every quarter'],
  },
] as const satisfies readonly Plan[]

export type PlanId = (typeof plans)[number]['id']
