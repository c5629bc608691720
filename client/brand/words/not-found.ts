import { brand } from '#facts/brand.ts'

export const documentTitle = `Page not found: ${brand.name}`
export const code = 'Error 404'
export const title = 'Oops! Page not found'
export const lead = "There's nothing at this address. The link may be old or mistyped."
export const returnHome = 'Return to Home'
/** How far the post in the page's drawing leans. */
export const angle = '4.04°'
