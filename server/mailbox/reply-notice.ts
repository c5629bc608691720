import { inboxPath } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Database } from '../database/schema.ts'
import { hasWords, type Lead } from '../leads/lead-store.ts'
import { answeredLink, callLink, replyLink, toSubjectText } from '../leads/owner-notice.ts'
import { buttons, emailBody, heading, indented, paragraph, writing } from '../mail/email-body.ts'
import { automatic, type MailAddress, type Message } from '../mail/mailer.ts'
import { NotNeeded } from '../mail/send-error.ts'
import type { Email } from '../outbox/email.ts'
import { UNREADABLE } from './read-message.ts'

/** `key`: of the event with the visitor's message. */
export type ReplyContent = { key: string }

const messages = (db: Database) => db.selectFrom('lead_events').select(['text', 'at'])

/** Reads what the visitor wrote. Throws `NotNeeded` if it was erased. */
export async function readReply(db: Database, { key }: ReplyContent): Promise<{ text: string; at: string }> {
  const event = messages(db).where('key', '=', key)
  const { text, at } = await event.executeTakeFirstOrThrow(() => new NotNeeded('The message was erased.'))
  return { text: text ?? '', at }
}

/**
 * The visitor's newest message until then that can be quoted; undefined if there is only the request. What others have written
 * is not for the visitor's eyes: somebody to whom our email was forwarded, for example.
 */
export async function readLastReply(db: Database, { id, email }: Lead, until: string) {
  const last = await messages(db)
    .where((event) => event.and({ lead_id: id, what: 'reply', who: email.toLowerCase() }))
    .where('text', 'not in', ['', UNREADABLE])
    .where('at', '<=', until)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last && { text: last.text ?? '', at: new Date(last.at) }
}

/** Tells an owner that a visitor has written again. */
export function replyNotice(
  lead: Lead,
  { text, at }: { text: string; at: string },
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl }: { mailFrom: MailAddress; siteUrl: string },
): Message {
  const name = `${lead.firstName} ${lead.lastName}`
  const page = `${siteUrl}${inboxPath}/${lead.reference}`
  return {
    ...automatic(mailFrom, email),
    // A reply to this email goes to the visitor, so that it cannot get lost.
    replyTo: lead.email,
    subject: `Re: Quote request ${lead.reference}${hasWords(lead) ? ` from ${toSubjectText(name)}` : ''}`,
    date: new Date(at),
    ...emailBody({
      title: `Quote request ${lead.reference}`,
      parts: [
        ...(hasWords(lead) ? [indented(writing(text, 'words'))] : []),
        indented(heading(hasWords(lead) ? name : 'A visitor has written again')),
        buttons([replyLink(page), ...callLink(lead.phone), answeredLink(page)]),
        paragraph(`Reply promised by ${officeTimeInWords(lead.dueAt)}`, 'strong'),
      ],
      footer: [`Request ${lead.reference}, received ${officeTimeInWords(lead.createdAt)}.`, siteUrl],
    }),
  }
}
