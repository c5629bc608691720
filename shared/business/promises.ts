import type { Promises } from '../fact-checks/facts.ts'
import type { ResponseTimes } from '../time/office-hours.ts'

export const responseTimes: ResponseTimes = { emailReplyOfficeHours: 4, quoteWorkdays: 1 }

/**
 * The page's promises, as visitors read them. The numbers in `quote` and `emailReply` must match
 * `responseTimes`.
 */
export const promises = {
  buildTime: '1-2 weeks',
  quote: '24 hours',
  emailReply: '4 hours',
  response: 'Same-day response',
  support: 'Support is included in all packages',
  seo: 'SEO results backed with progress reports',
  uptime: '99.9%',
} as const satisfies Promises

export const includedInAllPlans = [
  { id: 'uptime', name: `${promises.uptime} uptime guarantee` },
  { id: 'backups', name: 'Daily backups' },
  { id: 'security', name: 'Security monitoring' },
  { id: 'updates', name: 'Free updates' },
] as const
