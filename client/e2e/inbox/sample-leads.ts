import { brand } from '#facts/brand.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { replyDueAt } from '#shared/promise-clock.ts'
import { largestPlan, samplePlan, smallestPlan } from '../../../server/proof/testing/sample-plan.ts'
import { sampleNow } from './sample-time.ts'

const minutesAgo = (minutes: number) => new Date(sampleNow() - minutes * 60_000).toISOString()

const defaults = {
  state: 'open',
  isSuspect: false,
  isUnread: false,
  followUpOn: null,
  trouble: null,
  stuckSince: null,
  addressDoubt: null,
  version: 1,
  company: '',
  website: '',
  phone: '',
  spamReasons: [],
  source: { landing: '/', referrer: 'google.com' },
  events: [],
  others: [],
  draft: null,
  pendingAnswer: null,
  canSendReceipt: false,
} satisfies Partial<LeadDetail>

type Sample = Partial<LeadDetail> & Pick<LeadDetail, 'reference' | 'firstName' | 'lastName' | 'message'>

/** A lead in the format of the API, received `ageMinutes` ago. */
export function sampleLead(ageMinutes: number, sample: Sample): LeadDetail {
  const { firstName, lastName, message } = sample
  const email = `${firstName}@example.com`.toLowerCase()
  return {
    ...defaults,
    budget: samplePlan.id,
    email,
    name: `${firstName} ${lastName}`,
    firstWords: message.replaceAll('\n', ' '),
    receivedAt: minutesAgo(ageMinutes),
    dueAt: replyDueAt(new Date(minutesAgo(ageMinutes))).toISOString(),
    template: `Hello ${firstName},\n\nThank you for your request.\n\n\n\nAnna\n${brand.name}`,
    emails: [
      {
        kind: 'owner_notice',
        recipient: 'anna@agency.example',
        state: 'sent',
        queuedAt: minutesAgo(ageMinutes),
        attempts: [{ at: minutesAgo(ageMinutes), outcome: 'sent', response: '250 2.0.0 OK' }],
      },
      {
        kind: 'visitor_receipt',
        recipient: email,
        state: 'sent',
        queuedAt: minutesAgo(ageMinutes),
        attempts: [{ at: minutesAgo(ageMinutes), outcome: 'sent', response: '250 2.0.0 OK' }],
      },
    ],
    ...sample,
  }
}

/** Leads of many kinds, such as unread, suspected spam, won, and one whose answer could not be delivered. */
export const sampleLeads = (): LeadDetail[] => [
  sampleLead(70, {
    reference: 'Q-9HHC-20TB',
    firstName: 'Luis',
    lastName: 'Aguilar',
    phone: '614.555.0110',
    budget: largestPlan.id,
    trouble:
      'Your answer did not arrive: this mailbox does not exist. The mail server said: 5.1.1 No such user here.',
    message: 'We run four branches. Who would be our contact?',
    events: [
      {
        id: 3,
        at: minutesAgo(20),
        who: 'server',
        what: 'answer_failed',
        from: null,
        to: null,
        text: '550 5.1.1 No such user here',
      },
      {
        id: 2,
        at: minutesAgo(40),
        who: 'anna@agency.example',
        what: 'answer',
        from: 'open',
        to: 'answered',
        text: 'Hello Luis,\n\nThank you for your request. I would be your contact.\n\nAnna',
      },
      {
        id: 1,
        at: minutesAgo(45),
        who: 'ben@agency.example',
        what: 'note',
        from: null,
        to: null,
        text: 'Called: asks for a meeting in person.',
      },
    ],
  }),
  sampleLead(305, {
    reference: 'Q-4RTD-81MW',
    firstName: 'Marcus',
    lastName: 'Oyelaran',
    phone: '(614) 555-0187',
    company: 'Oyelaran Heating & Air',
    message:
      'Our site went down twice last month and the company that made it does not pick up the phone. How soon could you take over? We also have a second location now.',
  }),
  sampleLead(212, {
    reference: 'Q-7K3M-9QXD',
    firstName: 'Dana',
    lastName: 'Whitfield',
    phone: '(614) 555-0142',
    company: 'Whitfield Roofing',
    website: 'https://www.whitfield-roofing.example/',
    isUnread: true,
    source: { landing: '/', parameters: { gclid: 'x', utm_campaign: 'spring roofs' } },
    message:
      'Hi, we are a crew of six and still get most of our work by word of mouth.\n\nWe need a site that shows our jobs and a button to call us. Could it be live before storm season? My cousin says 10 pages are enough.\n\nDana',
    others: [{ reference: 'Q-1AB2-3CD4', receivedAt: minutesAgo(60 * 24 * 190), state: 'lost' }],
  }),
  sampleLead(96, {
    reference: 'Q-2W9P-K3VF',
    firstName: 'Joanna',
    lastName: 'Brandt-Featherstonehaugh',
    budget: smallestPlan.id,
    message: 'Just a simple page for my dental practice, please. Address, hours, map, that is all.',
  }),
  sampleLead(4, {
    reference: 'Q-5VN0-EXY7',
    firstName: 'Priya',
    lastName: 'Raman',
    budget: '',
    isUnread: true,
    source: {},
    message: 'How much for a shop with about 40 products?',
  }),
  sampleLead(2000, {
    reference: 'Q-6S4Q-M1JA',
    firstName: 'Pat',
    lastName: 'Kowalski',
    state: 'answered',
    followUpOn: '2099-03-12',
    message: 'Please call again after the holidays.',
  }),
  sampleLead(44, {
    reference: 'Q-8FGZ-T5RE',
    firstName: 'Robert',
    lastName: 'Smith',
    isSuspect: true,
    website: 'https://rank-first.example/',
    spamReasons: [
      'Words often used in offers: rankings, first page, packages',
      'Other websites in the message: 2',
    ],
    message:
      'Dear owner, we offer SEO services at affordable price. Guaranteed page 1. See rank-first.example',
  }),
  sampleLead(3000, {
    reference: 'Q-0PWL-7HJS',
    firstName: 'Vera',
    lastName: 'Lang',
    state: 'spam',
    message: 'Please call me about a new site for our bakery.',
  }),
  sampleLead(9000, {
    reference: 'Q-3XKB-C6ND',
    firstName: 'Erin',
    lastName: 'Walsh',
    state: 'won',
    message: 'When can we start?',
  }),
]
