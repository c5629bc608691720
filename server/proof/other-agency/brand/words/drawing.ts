import { plans } from '../../facts/plans.ts'
import { lowestMonthly, lowestSetup } from './hero.ts'

export const phone = 'Fits a pocket'
export const headline = 'Your goods, up top'
export const picture = 'Your own photos'
export const button = 'Order in two taps'
export const prices = 'Prices in sight'

export const sample = {
  site: '/work/larkspur-bakery/',
  name: 'Larkspur',
  headline: ['Bread for', 'breakfast,', 'by bike.'],
  button: 'Order bread',
  call: 'Ring 020 7946 0117',
}

/** The caption of the link on the phone. */
export const openSample = 'Visit the sample shop'

export const description = 'A web shop, drawn on a phone and a computer.'

const [first, ...others] = plans
const inEveryPlan = first.features.filter((feature) =>
  others.every(({ features }) => features.some((other: string) => other === feature)),
)

export const titleBlock = [
  `Setup\u00a0from\u00a0${lowestSetup}`,
  `Monthly\u00a0from\u00a0${lowestMonthly}`,
  ...inEveryPlan.slice(0, 1),
]
