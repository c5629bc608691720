import { ownerNotice } from '../../leads/emails/owner-notice.ts'
import type { Lead } from '../../leads/lead-store.ts'
import type { Message } from '../../mail/mailer.ts'
import { sampleRequest } from './sample-request.ts'

/** A lead with the sample request, and with `changes`. */
export const sampleLead = (changes: Partial<Lead> = {}): Lead => ({
  ...sampleRequest(),
  id: '019c0000-0000-7000-8000-000000000000',
  reference: 'Q-7K3M-9QXD',
  createdAt: new Date('2026-03-02T15:00:00Z'),
  dueAt: new Date('2026-03-02T19:00:00Z'),
  spam: { score: 1, reasons: ['Sent without the time stamp'], isSuspect: false },
  source: { landing: '/', referrer: 'search.example' },
  ...changes,
})

/** A notice to the owner about that lead. */
export const sampleNotice = (changes: Partial<Lead> = {}, hasInbox = true): Message =>
  ownerNotice(
    sampleLead(changes),
    { recipient: 'owner@agency.example', messageId: '<1.0@agency.example>' },
    { mailFrom: { address: 'site@agency.example' }, siteUrl: 'https://agency.example', hasInbox },
  )
