import { afterEach } from 'vitest'
import { createSmtpMailer, type Mailer } from '../../mail/mailer.ts'
import { type Inbox, openInbox } from './inbox.ts'
import { sampleNotice } from './sample-notice.ts'

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
