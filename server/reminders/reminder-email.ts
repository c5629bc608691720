import { inboxPath } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { answeredLink, callLink, replyLink, toSubjectText } from '../leads/emails/owner-notice.ts'
import { firstWords } from '../leads/first-words.ts'
import { hasWords, type Lead } from '../leads/lead-store.ts'
import { buttons, emailBody, heading, indented, paragraph, people, writing } from '../mail/email-body.ts'
import { automatic, type Envelope, type Message, type Sender } from '../mail/mailer.ts'
import { describeWaiting } from './morning-email.ts'

/** `at` is when the reminder was queued. `leadIds`: the leads of a reminder of several. */
export type ReminderContent = { at: string; leadIds?: string[] }

/** Reminds the owner of a lead. The links change nothing until the owner presses a button. */
export function reminderEmail(
  lead: Lead,
  { at }: ReminderContent,
  email: Envelope,
  { mailFrom, siteUrl }: Sender,
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
        buttons([replyLink(page), ...callLink(lead.phone), answeredLink(page)]),
      ],
      footer: [`Request ${lead.reference}, received ${officeTimeInWords(lead.createdAt)}.`, siteUrl],
    }),
  }
}

// The inbox shows the others.
const MAX_LISTED = 30

/** Reminds the owner of several leads at once. */
export function reminderListEmail(
  leads: readonly Lead[],
  { at }: ReminderContent,
  email: Envelope,
  { mailFrom, siteUrl }: Sender,
): Message {
  const inboxUrl = siteUrl + inboxPath
  const subject = `${leads.length} people are waiting for your reply`
  const waiting = leads.slice(0, MAX_LISTED).map((lead) => ({
    lead,
    words: firstWords(lead.message),
    by: `Reply by ${officeTimeInWords(lead.dueAt)}`,
  }))
  return {
    ...automatic(mailFrom, email),
    subject,
    date: new Date(at),
    ...emailBody({
      title: subject,
      parts: [
        heading(subject),
        people(
          waiting.map((one) =>
            describeWaiting(one, inboxUrl, (page) => [replyLink(page), answeredLink(page)]),
          ),
        ),
        ...(leads.length > MAX_LISTED ? [paragraph('The inbox shows the others.', 'quiet')] : []),
        buttons([{ label: 'Open the inbox', url: inboxUrl }]),
      ],
      footer: [siteUrl],
    }),
  }
}
