import type { PlanId } from '#facts/plans.ts'
import { type includedInAllPlans, promises } from '#facts/promises.ts'

const minutesAMonth = 30 * 24 * 60
const downMinutes = Math.floor((1 - Number.parseFloat(promises.uptime) / 100) * minutesAMonth)

export const title = 'Website pricing: one\u00a0setup\u00a0fee, one\u00a0monthly\u00a0fee'
export const intro =
  'Pay once for setup, then the same amount every month. Anything extra is priced before we start.'

export const descriptions: Record<PlanId, string> = {
  starter: 'A complete site for a business that needs to get found.',
  professional: 'For businesses that want more calls from Google.',
  enterprise: 'For multiple locations or services.',
}
export const popular = 'Most Popular'
export const setup = 'One-time setup'
export const monthly = 'Monthly'
/** The sum of setup and these months. */
export const firstMonths = 'First six months'
export const getStarted = 'Get Started'

export const includedTitle = 'All plans include'
export const meanings: Record<(typeof includedInAllPlans)[number]['id'], string> = {
  uptime: `In a 30-day month, your site is down for ${downMinutes} minutes at the most.`,
  backups: 'A copy of your whole site every day. If something breaks, we put it back.',
  security: 'We watch your site for hacks and known vulnerabilities, and fix what we find.',
  updates: 'The software your site runs on is kept current at no extra charge.',
}

/** The line below the plans. The middle part is a link to the form. */
export const beforeContact = 'Need something else? '
export const contact = 'Contact us'
export const afterContact = " and we'll price it."
