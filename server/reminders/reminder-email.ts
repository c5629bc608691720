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

/** `at` is when the reminder was queued. Earlier versions stored no `leadIds` of a single lead. */
export type ReminderContent = { at: string; leadIds?: string[] }

/** A lead with what waits there. */
export type Reminded = { lead: Lead; unanswered: Unanswered }

/** `title`: of the document. `todo`: what the subject says after the name. */
type Wording = { at: string; title: string; todo: string; isPromised?: boolean; notes?: string[] }

/**
 * Tells an owner who waits, and what that person has written. Like a notice, it says nothing about
 * the person of the lead if somebody else has written. A reply goes to whoever waits, so that it
 * can't get lost. The links change nothing until the owner presses a button.
 */
export function emailAbout(
  { lead, unanswered: { who, isTheirs, texts } }: Reminded,
  { at, title, todo, ...below }: Wording,
  email: Envelope,
  { mailFrom, siteUrl }: Sender,
): Message {
  const isElsewhere = hasWords(lead) && !isTheirs
  const name = isElsewhere ? who || 'Somebody' : `${lead.firstName} ${lead.lastName}`
  const words = [
    ...fromElsewhere({ who, isTheirs }).map((line) => paragraph(line, 'quiet')),
    ...texts.map((text) => writing(text, 'words')),
  ]
  return {
    ...automatic(mailFrom, email),
    ...repliesTo(isElsewhere ? who : lead.email),
    subject: `${toSubjectText(name)}: ${todo}`,
    date: new Date(at),
    ...emailBody({
      title,
      parts: [heading(name), ...(hasWords(lead) ? words : [])].map(indented),
      ...belowMessage(lead, siteUrl, { isElsewhere, ...below }),
    }),
  }
}

/** Reminds the owner of a lead. */
export function reminderEmail(
  reminded: Reminded,
  { at }: ReminderContent,
  email: Envelope,
  sender: Sender,
): Message {
  const { reference, dueAt } = reminded.lead
  const { earlier } = reminded.unanswered
  const title = `Reminder of ${reference}`
  const todo = `reply by ${officeTimeInWords(dueAt)}`
  const notes = earlier > 0 ? [`The inbox shows ${count(earlier, 'message')} before this.`] : []
  return emailAbout(reminded, { at, title, todo, notes }, email, sender)
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
