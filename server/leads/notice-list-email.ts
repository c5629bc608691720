import { inboxPath } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { count } from '../count.ts'
import { describePerson, describeSuspect } from '../digest/digest-lists.ts'
import { buttons, emailBody, heading, paragraph, people } from '../mail/email-body.ts'
import { automatic, type MailAddress, type Message } from '../mail/mailer.ts'
import type { Email } from '../outbox/email.ts'
import type { Lead } from './lead-store.ts'
import type { NoticeListContent } from './notice-list.ts'
import { isSuspect } from './spam-score.ts'

type Sender = { mailFrom: MailAddress; siteUrl: string; hasInbox: boolean }

/** Tells an owner about several leads at once. `leads` are those that are still open. */
export function noticeListEmail(
  leads: readonly Lead[],
  { at }: NoticeListContent,
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl, hasInbox }: Sender,
): Message {
  const inboxUrl = hasInbox ? siteUrl + inboxPath : undefined
  const subject = count(leads.length, 'more request')
  const listed = leads.map((lead) => ({ ...describePerson(lead, inboxUrl), details: describe(lead) }))
  return {
    ...automatic(mailFrom, email),
    subject: `${subject} at ${new URL(siteUrl).host}`,
    date: new Date(at),
    ...emailBody({
      title: subject,
      parts: [
        heading(subject),
        paragraph(
          'These requests share one email, because your mail provider limits how many emails you can send in a day. These people are waiting, too.',
        ),
        people(listed),
        inboxUrl
          ? buttons([{ label: 'Open the inbox', url: inboxUrl }])
          : paragraph('Read them with "leads list".', 'quiet'),
      ],
      footer: [
        'You get such a list only when there are unusually many requests, or many from one network.',
        `Sent by ${siteUrl}`,
      ],
    }),
  }
}

const describe = (lead: Lead): string =>
  isSuspect(lead.spam.score)
    ? `Suspected spam: ${describeSuspect(lead)}`
    : `Reply promised by ${officeTimeInWords(lead.dueAt)} (${lead.reference})`
