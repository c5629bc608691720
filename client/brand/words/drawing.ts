import { plans } from '#facts/plans.ts'
import { lowestMonthly, lowestSetup } from './hero.ts'

/**
 * The labels of the drawing at the top of the page. Each is named after the part of the drawing
 * that it points at.
 */
export const phone = 'Built for phones first'
export const headline = 'The reason to call, first'
export const picture = 'Your work, up close'
export const button = 'One clear button'
export const prices = 'Your prices up front'

/**
 * The text on the drawn phone. It must be the same as on the sample site. The headline is split
 * into lines.
 */
export const sample = {
  site: '/work/ridgeline-roofing/',
  name: 'Ridgeline',
  headline: ['The storm', 'is over. The', 'roof is next.'],
  button: 'Call the crew',
  call: 'Call (503) 555-0117',
}

/** The caption of the link on the phone. */
export const openSample = 'Sample site. Open it'

/** Screen readers read this, then the labels. */
export const description = 'A drawing of a website on a phone and a computer.'

const inEveryPlan = plans[0].features.filter((feature) =>
  plans.every(({ features }) => features.some((other: string) => other === feature)),
)

/**
 * The title block below the drawing, as on a blueprint: the lowest prices and, if there is one, a
 * feature that all plans share. Where the drawing is narrow, each has two lines: a space that is
 * not non-breaking becomes a line break.
 */
export const titleBlock = [
  `From\u00a0${lowestSetup} setup`,
  `From\u00a0${lowestMonthly} a\u00a0month`,
  ...inEveryPlan.slice(0, 1).map((feature) => feature.replace(/ (?=.* )/g, '\u00a0')),
]
