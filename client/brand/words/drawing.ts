import { plans } from '#facts/plans.ts'
import { lowestMonthly, lowestSetup } from './hero.ts'

/** What the labels of the drawing point at. */
export const phone = 'Built for phones first'
export const headline = 'What you do, in one line'
export const picture = 'Big photos of your work'
export const button = 'One clear button'
export const prices = 'Your prices up front'

/** The site on the drawn phone, in its own words (client/drawing.test.ts compares them). The headline is split into lines. */
export const sample = {
  site: '/work/ridgeline-roofing/',
  name: 'Ridgeline',
  headline: ['The storm', 'is over. The', 'roof is next.'],
  button: 'Call the crew',
  call: 'Call (503) 555-0117',
}

/** For people who don't see the drawing; the labels follow. */
export const description = 'A drawing of a website on a phone and a computer.'

const [first, ...others] = plans
const inEveryPlan = first.features.filter((feature) =>
  others.every(({ features }) => features.some((other: string) => other === feature)),
)

/** The title block below the drawing, with room for one feature that all plans share. On a phone, the ordinary spaces break. */
export const titleBlock = [
  `From\u00a0${lowestSetup} setup`,
  `From\u00a0${lowestMonthly} a\u00a0month`,
  ...inEveryPlan.slice(0, 1),
]
