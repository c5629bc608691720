import { afterEach } from 'vitest'
import { ownerNotice } from '../../leads/owner-notice.ts'
import type { SpamVerdict } from '../../leads/spam-score.ts'
import { createSmtpMailer, type Mailer, type Message } from '../../mail/mailer.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { sampleRequest } from './sample-request.ts'

/** Returns functions that open inboxes (SMTP servers) and mailers (SMTP clients). Closes these after each test. */
export function mailTools() {
  const mailers: Mailer[] = []
  const inboxes: Inbox[] = []
  afterEach(async () => {
    // Close the mailers first: an inbox doesn't close until its connections are closed.
    for (const mailer of mailers.splice(0)) mailer.close()
    await Promise.all(inboxes.splice(0).map((inbox) => inbox.close()))
  })
  return {
    async openInbox(...options: Parameters<typeof openInbox>) {
      const inbox = await openInbox(...options)
      inboxes.push(inbox)
      return inbox
    },
    /** Returns a function that sends an email to the SMTP server at `url`. */
    openMailer(url: string) {
      const mailer = createSmtpMailer(url)
      mailers.push(mailer)
      return (email = sampleNotice(), signal = new AbortController().signal) => mailer.send(email, signal)
    },
  }
}

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
