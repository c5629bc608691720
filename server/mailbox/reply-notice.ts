import type { Database } from '../database/schema.ts'
import { belowMessage, noticeSubject, repliesTo } from '../leads/emails/owner-notice.ts'
import type { WrittenReply } from '../leads/emails/written-words.ts'
import { hasWords, type Lead } from '../leads/lead-store.ts'
import { cameAt, UNREADABLE, withoutCut } from '../leads/messages/message-text.ts'
import { emailBody, heading, indented, writing } from '../mail/email-body.ts'
import { automatic, type Envelope, type Message, type Sender } from '../mail/mailer.ts'
import { MORE } from './lead-room.ts'

/** `key`: of the event with the visitor's message. */
export type ReplyContent = { key: string }

/**
 * The newest message until then from the address that an answer goes to; undefined if there is none
 * that can be quoted. What others have written is not for that person's eyes: somebody to whom our
 * email was forwarded, for example.
 */
export async function readQuotable(db: Database, leadId: string, to: string, until: string) {
  const last = await db
    .selectFrom('lead_events')
    .select(['text', 'at', 'received'])
    .where((event) => event.and({ lead_id: leadId, what: 'reply', who: to.toLowerCase() }))
    .where('text', 'not in', ['', UNREADABLE, MORE])
    .where('at', '<=', until)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last) return undefined
  const at = cameAt(last.at, JSON.parse(last.received ?? '{}'))
  return { text: withoutCut(last.text ?? ''), at: new Date(at) }
}

/**
 * Tells an owner that a visitor has written again. A reply to this email goes to whoever has
 * written. If that is another address than the request's, the email says nothing else about the
 * visitor, because the reply would quote it.
 */
export function replyNotice(
  lead: Lead,
  { text, at, who }: WrittenReply,
  email: Envelope,
  { mailFrom, siteUrl }: Sender,
): Message {
  const isElsewhere = hasWords(lead) && who !== lead.email.toLowerCase()
  const name = isElsewhere ? who || 'an unknown address' : `${lead.firstName} ${lead.lastName}`
  const title = isElsewhere
    ? `From ${name}, not the address of the request`
    : hasWords(lead)
      ? name
      : 'A visitor has written again'
  return {
    ...automatic(mailFrom, email),
    ...repliesTo(who),
    subject: `Re: ${noticeSubject(lead, name)}`,
    date: new Date(at),
    ...emailBody({
      title: noticeSubject(lead, name),
      parts: [...(hasWords(lead) ? [indented(writing(text, 'words'))] : []), indented(heading(title))],
      ...belowMessage(lead, siteUrl, { isElsewhere }),
    }),
  }
}
