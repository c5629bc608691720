import { inboxPath, openParameter } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { telephoneLink } from '#shared/telephone-link.ts'
import { hasWords, type Lead } from '../leads/lead-store.ts'
import { answeredLink, toSubjectText } from '../leads/owner-notice.ts'
import { buttons, emailBody, heading, indented, paragraph, writing } from '../mail/email-body.ts'
import { automatic, type MailAddress, type Message } from '../mail/mailer.ts'
import type { Email } from '../outbox/email.ts'

/** `at` is when the reminder was queued. */
export type ReminderContent = { at: string }

/** Reminds the owner of a lead. All links lead to the inbox, where nothing changes until the owner presses a button. */
export function reminderEmail(
  lead: Lead,
  { at }: ReminderContent,
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl }: { mailFrom: MailAddress; siteUrl: string },
): Message {
  const name = `${lead.firstName} ${lead.lastName}`
  const promised = `by ${officeTimeInWords(lead.dueAt)}`
  const page = `${siteUrl}${inboxPath}/${lead.reference}`
  return {
    ...automatic(mailFrom, email),
    // A reply to this email goes to the visitor, so that it cannot get lost.
    replyTo: lead.email,
    subject: `Reply to ${toSubjectText(name)} ${promised}`,
    date: new Date(at),
    ...emailBody({
      title: `Reminder of ${lead.reference}`,
      parts: [
        indented(heading(`${name} is waiting for your reply`)),
        paragraph(`Reply promised ${promised}`, 'strong'),
        ...(hasWords(lead) ? [indented(writing(lead.message, 'words'))] : []),
        buttons([
          { label: 'Reply', url: `${page}?${openParameter}=reply` },
          ...(telephoneLink(lead.phone) ? [{ label: 'Call', url: page }] : []),
          answeredLink(page),
        ]),
      ],
      footer: [
        `Request ${lead.reference}, received ${officeTimeInWords(lead.createdAt)}.`,
        'You get one reminder for each request that nobody has answered in the inbox.',
        `Sent by ${siteUrl}`,
      ],
    }),
  }
}
