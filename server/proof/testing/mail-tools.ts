import { ownerNotice } from '../../leads/owner-notice.ts'
import type { SpamVerdict } from '../../leads/spam-score.ts'
import type { Message } from '../../mail/mailer.ts'
import { sampleRequest } from './sample-request.ts'

/** A notice to the owner about the sample request. */
export const sampleNotice = (
  changes = {},
  spam: SpamVerdict = { score: 1, reasons: ['Sent without the time stamp'], isSuspect: false },
  hasInbox = true,
): Message =>
  ownerNotice(
    {
      ...sampleRequest(changes),
      id: '019c0000-0000-7000-8000-000000000000',
      reference: 'Q-7K3M-9QXD',
      createdAt: new Date('2026-03-02T15:00:00Z'),
      dueAt: new Date('2026-03-02T19:00:00Z'),
      spam,
      source: { landing: '/', referrer: 'search.example' },
    },
    { recipient: 'owner@agency.example', messageId: '<1.0@agency.example>' },
    { mailFrom: { address: 'site@agency.example' }, siteUrl: 'https://agency.example', hasInbox },
  )
