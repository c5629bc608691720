import { expect, test } from 'vitest'
import { replyDueAt } from '#shared/promise-clock.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { ownerNotice } from './owner-notice.ts'
import { isOutdated, nextSteps, visitorReceipt } from './visitor-receipt.ts'

// These tests rely on the facts of the brand Plumbline: its office in New York is open on weekdays from 8 a.m. to 6 p.m.,
// and it promises a reply within 4 office hours and a quote within one workday.

const promised = (received: string) => ({
  createdAt: new Date(received),
  dueAt: replyDueAt(new Date(received)),
})
const lead = {
  ...sampleRequest(),
  id: '019c0000-0000-7000-8000-000000000000',
  reference: 'Q-7K3M-9QXD',
  spam: { score: 0, reasons: [] },
  source: {},
}
const sender = { mailFrom: { address: 'site@agency.example' }, siteUrl: 'https://agency.example' }
const job = { recipient: 'ada@example.com', messageId: '<x@agency.example>' }

test.each([
  ['during the day', '2026-03-02T15:00Z', ['Monday, March 2 at 2pm', 'Tuesday, March 3 at 10am']],
  [
    'in the evening',
    '2026-03-03T00:00Z',
    ['Tuesday, March 3 at 8am', 'Tuesday, March 3 at 12pm', 'Tuesday, March 3 at 6pm'],
  ],
  [
    'on Friday evening',
    '2026-03-07T00:00Z',
    ['Monday, March 9 at 8am', 'Monday, March 9 at 12pm', 'Monday, March 9 at 6pm'],
  ],
])(
  'for a request that arrives %s, the receipt lists the next steps with their times',
  (_what, received, times) => {
    const steps = nextSteps(promised(received))

    expect(steps.length).toBe(times.length)
    for (const [index, time] of times.entries()) expect(steps[index]?.text).toContain(time)
  },
)

const closed = (opens: string) => `Our office is closed right now and opens again on ${opens}.`
const reply = (by: string) => `By ${by}: a first reply by email.`
const quote = (by: string) => `By ${by}: your free quote.`

test.each<[string, string, string[]]>([
  [
    'a Friday at 5:50pm',
    '2026-03-06T17:50-05:00',
    [reply('Monday, March 9 at 11:50am EDT'), quote('Monday, March 9 at 5:50pm EDT')],
  ],
  [
    'a Saturday',
    '2026-03-14T12:00-04:00',
    [
      closed('Monday, March 16 at 8am EDT'),
      reply('Monday, March 16 at 12pm EDT'),
      quote('Monday, March 16 at 6pm EDT'),
    ],
  ],
  [
    'the afternoon of December 24',
    '2026-12-24T15:00-05:00',
    [reply('Monday, December 28 at 9am EST'), quote('Monday, December 28 at 3pm EST')],
  ],
  [
    'the evening of December 24',
    '2026-12-24T19:00-05:00',
    [
      closed('Monday, December 28 at 8am EST'),
      reply('Monday, December 28 at 12pm EST'),
      quote('Monday, December 28 at 6pm EST'),
    ],
  ],
  [
    'the night when clocks go forward',
    '2026-03-08T01:59-05:00',
    [
      closed('Monday, March 9 at 8am EDT'),
      reply('Monday, March 9 at 12pm EDT'),
      quote('Monday, March 9 at 6pm EDT'),
    ],
  ],
  ...['2026-11-01T01:30-04:00', '2026-11-01T01:30-05:00'].map((received): [string, string, string[]] => [
    'the night when clocks go back',
    received,
    [
      closed('Monday, November 2 at 8am EST'),
      reply('Monday, November 2 at 12pm EST'),
      quote('Monday, November 2 at 6pm EST'),
    ],
  ]),
])('for a request on %s, the receipt and the notice promise exact times', (_when, received, steps) => {
  const request = { ...lead, ...promised(received) }

  const receipt = visitorReceipt(request, job, sender)
  const notice = ownerNotice(request, job, { ...sender, hasInbox: true })

  expect(receipt.text.split('\n').filter((line) => line.startsWith('- '))).toEqual(
    steps.map((step) => `- ${step}`),
  )
  const [, by] = /By (.*): a first/.exec(receipt.text) ?? []
  expect(notice.text).toContain(`Reply promised by ${by}\n`)
})

test.each([
  ['during the day', '2026-03-02T15:00Z', '2026-03-02T19:00Z'],
  ['in the evening', '2026-03-03T00:00Z', '2026-03-03T13:00Z'],
  ['on Friday evening', '2026-03-07T00:00Z', '2026-03-09T12:00Z'],
])(
  'for a request that arrives %s, a receipt is outdated once its first promised time has come',
  (_what, received, first) => {
    const lead = promised(received)

    expect(isOutdated(lead, lead.createdAt)).toBe(false)
    expect(isOutdated(lead, new Date(Date.parse(first) - 1))).toBe(false)
    expect(isOutdated(lead, new Date(first))).toBe(true)
  },
)

test.each([
  ['in winter', '2026-01-05T20:00Z', 'EST'],
  ['in summer', '2026-07-06T18:00Z', 'EDT'],
  ['on the weekend when daylight saving time begins', '2026-03-07T15:00Z', 'EDT'],
])('%s, a receipt contains the office hours with the right time zone', (_what, received, zone) => {
  const mail = visitorReceipt({ ...lead, ...promised(received) }, job, sender)

  for (const body of [mail.text, mail.html]) expect(body).toContain(`555-0142, Mon-Fri 8am-6pm ${zone}.`)
})
