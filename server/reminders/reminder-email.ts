import { count } from '#shared/count.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import {
  answeredLink,
  belowMessage,
  repliesTo,
  replyLink,
  toSubjectText,
} from '../leads/emails/owner-notice.ts'
import { fromElsewhere, type Unanswered } from '../leads/emails/written-words.ts'
import { hasWords, type Lead } from '../leads/lead-store.ts'
import { buttons, emailBody, heading, indented, paragraph, people, writing } from '../mail/email-body.ts'
import { automatic, type Envelope, type Message, type Sender } from '../mail/mailer.ts'
import { describeWaiting } from './morning-email.ts'

/** `at` is when the reminder was queued. `leadIds`: the leads of a reminder of several. */
export type ReminderContent = { at: string; leadIds?: string[] }

/** A lead with what waits there. */
export type Reminded = { lead: Lead; unanswered: Unanswered }

/**
 * Who waits, and what that person has written. Like a notice, it says nothing about the person of
 * the lead if somebody else has written. A reply goes to whoever waits, so that it can't get lost.
 */
export function describeReminded({ lead, unanswered: { who, isTheirs, texts } }: Reminded) {
  const isElsewhere = hasWords(lead) && !isTheirs
  return {
    isElsewhere,
    name: isElsewhere ? who || 'Somebody' : `${lead.firstName} ${lead.lastName}`,
    replies: repliesTo(isElsewhere ? who : lead.email),
    words: hasWords(lead)
      ? [
          ...fromElsewhere({ who, isTheirs }).map((words) => indented(paragraph(words, 'quiet'))),
          ...texts.map((text) => indented(writing(text, 'words'))),
        ]
      : [],
  }
}

/** Reminds the owner of a lead. The links change nothing until the owner presses a button. */
export function reminderEmail(
  reminded: Reminded,
  { at }: ReminderContent,
  email: Envelope,
  { mailFrom, siteUrl }: Sender,
): Message {
  const { lead, unanswered } = reminded
  const { isElsewhere, name, replies, words } = describeReminded(reminded)
  const { earlier } = unanswered
  return {
    ...automatic(mailFrom, email),
    ...replies,
    subject: `Reply to ${toSubjectText(name)} by ${officeTimeInWords(lead.dueAt)}`,
    date: new Date(at),
    ...emailBody({
      title: `Reminder of ${lead.reference}`,
      parts: [indented(heading(`${name} is waiting for your reply`)), ...words],
      ...belowMessage(lead, siteUrl, {
        isElsewhere,
        notes: earlier > 0 ? [`The inbox shows ${count(earlier, 'message')} before this.`] : [],
      }),
    }),
  }
}

// The inbox shows the others.
const MAX_LISTED = 30

/** Reminds the owner of several leads at once. */
export function reminderListEmail(
  leads: readonly Reminded[],
  { at }: ReminderContent,
  email: Envelope,
  { mailFrom, siteUrl }: Sender,
): Message {
  const inboxUrl = siteUrl + inboxPath
  const subject = `${leads.length} people are waiting for your reply`
  const waiting = leads.slice(0, MAX_LISTED).map(({ lead, unanswered }) => ({
    lead,
    unanswered,
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
