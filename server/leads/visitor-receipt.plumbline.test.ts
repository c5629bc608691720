import { expect, test } from 'vitest'
import { replyDueAt } from '#shared/promise-clock.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { ownerNotice } from './owner-notice.ts'
import { visitorReceipt } from './visitor-receipt.ts'

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
