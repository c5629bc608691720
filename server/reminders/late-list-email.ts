import { inboxPath } from '#shared/inbox/api.ts'
import { countInWords } from '#shared/inbox/words.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { describePerson } from '../digest/digest-lists.ts'
import { buttons, emailBody, heading, paragraph, people } from '../mail/email-body.ts'
import { automatic, type MailAddress, type Message } from '../mail/mailer.ts'
import type { Email } from '../outbox/email.ts'
import type { LateLeads } from './late-leads.ts'

/**
 * `opened` is when the office opened. The leads' names aren't stored with the email, but read when it is sent, so that the
 * database doesn't contain them twice.
 */
export type LateListContent = { opened: string }

/** Tells an owner, when the office opens, which promised replies are late. */
export function lateListEmail(
  { count, listed }: LateLeads,
  { opened }: LateListContent,
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl }: { mailFrom: MailAddress; siteUrl: string },
): Message {
  const inboxUrl = `${siteUrl}${inboxPath}`
  const subject = `${countInWords(count)} ${count === 1 ? 'person is' : 'people are'} still waiting for a promised reply`
  return {
    ...automatic(mailFrom, email),
    subject,
    date: new Date(opened),
    ...emailBody({
      title: subject,
      parts: [
        heading(subject),
        people(
          listed.map((lead) => ({
            ...describePerson(lead, inboxUrl),
            details: `Reply promised by ${officeTimeInWords(lead.dueAt)} (${lead.reference})`,
          })),
        ),
        ...(count > listed.length ? [paragraph('The inbox shows the others.', 'quiet')] : []),
        buttons([{ label: 'Open the inbox', url: inboxUrl }]),
      ],
      footer: [
        'You get this list each workday when the office opens, unless nobody is waiting.',
        `Sent by ${siteUrl}`,
      ],
    }),
  }
}
