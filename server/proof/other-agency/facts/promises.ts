import type { Promises } from '#shared/facts.ts'
import type { ResponseTimes } from '#shared/office-hours.ts'

export const responseTimes: ResponseTimes = { emailReplyOfficeHours: 3, quoteWorkdays: 2 }

export const promises = {
  buildTime: '3-4 weeks',
  quote: '2 working days',
  emailReply: '3 hours',
  response: 'We ring back the same day',
  support: 'Help with your shop is part of every plan',
  seo: 'Search terms are reviewed each quarter',
  uptime: '99.5%',
} as const satisfies Promises

export const includedInAllPlans = [
  { id: 'available', name: `Open ${promises.uptime} of the time` },
  { id: 'copies', name: 'A copy every night' },
  { id: 'certificate', name: 'Encrypted checkout' },
] as const
