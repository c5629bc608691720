import { lowestMonthly, lowestSetup } from './hero.ts'

/** The text of the share image, besides the name and the slogan. */
export const services = 'Web design, SEO, hosting, support'
export const price = `From ${lowestSetup} setup, ${lowestMonthly} a month`
