import { promises } from '#shared/business/promises.ts'

/** Measures the drawn page. */
export const width = promises.buildTime

/** What the numbered lines of the drawing point at. */
export const headline = 'First line: what you do'
export const button = 'One clear thing to press'
export const prices = 'Prices in the open'
export const picture = 'Your own work, large'
export const phone = 'Same page, on a phone'

/** The title block below the drawing. */
export const sheet = 'Sheet A-1'
export const view = 'Front elevation'
export const note = 'Drawn true'
