import { expect, test } from 'vitest'
import { replyDueAt } from '#shared/promise-clock.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { reminderEmail } from './reminder-email.ts'

// These are the exact times that Plumbline promises.
test.each([
  ['at 10 a.m. on a Monday', '2026-03-02T15:00Z', 'Monday, March 2 at 2pm EST'],
  ['late on a Monday afternoon', '2026-03-02T19:30Z', 'Tuesday, March 3 at 8:30am EST'],
  ['before a weekend with a time change', '2026-03-06T23:30Z', 'Monday, March 9 at 12pm EDT'],
])('the reminder of a request received %s says when its reply is due', (_when, received, due) => {
  const createdAt = new Date(received)
  const lead = {
    ...sampleRequest(),
    ...{ id: '019c0000-0000-7000-8000-000000000000', reference: 'Q-7K3M-9QXD' },
    ...{ createdAt, dueAt: replyDueAt(createdAt), spam: { score: 0, reasons: [] }, source: {} },
  }
  const job = { recipient: 'owner@agency.example', messageId: '<x@agency.example>' }
  const sender = { mailFrom: { address: 'site@agency.example' }, siteUrl: 'https://agency.example' }

  const { subject } = reminderEmail(lead, { at: received }, job, sender)

  expect(subject).toBe(`Reply to Ada Lovelace by ${due}`)
})
