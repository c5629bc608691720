import type { Database, Joined, StoredMessage } from '../database/schema.ts'
import type { StoredLead } from '../leads/change/change-lead.ts'
import type { FoundLead } from './find-lead.ts'
import { eventKeyOf, hashOf, keysOf } from './message-ids.ts'
import type { MailMessage } from './read-message.ts'
import type { Words } from './words.ts'

/** A message that belongs to a lead. */
export type Belonging = MailMessage & Words & Pick<FoundLead, 'joined'>

/** What a message's event stores of it. `to`: whom it went to, if an owner has sent it. */
export const columnsOf = (lead: StoredLead, message: Belonging, who: string, to?: string[]) => {
  const { messageId, written, quotes, attachments, receivedAt, joined } = message
  const received: StoredMessage = {
    messageId,
    quotes,
    attachments,
    ...(receivedAt && { receivedAt }),
    ...(to && { to }),
  }
  return {
    key: eventKeyOf(lead.id, message, who),
    message_hash: hashOf(messageId),
    joined,
    text: written,
    received: JSON.stringify(received),
  }
}

type Asked = { who: string; joined: Joined; isAnswer: boolean }

/**
 * Whether the message was read before, perhaps in another folder, by an earlier version, or in the
 * form that an owner's mailbox has sent it on.
 */
export async function isStored(
  transaction: Database,
  lead: StoredLead,
  message: Omit<Belonging, 'joined'>,
  { who, joined, isAnswer }: Asked,
): Promise<boolean> {
  const hash = hashOf(message.messageId)
  const events = await transaction
    .selectFrom('lead_events')
    .select(['id', 'key', 'who', 'what', 'joined', 'text'])
    .where((event) => event.and({ lead_id: lead.id, message_hash: hash }))
    .execute()
  const answer = events.find(({ what }) => what === 'answered_by_mail')
  // What was sent is the same message as in the inbox, even if a mail server has changed its text.
  if (answer && (isAnswer || isSent(answer.joined))) {
    if (isSent(joined)) await setJoined(transaction, answer.id, joined)
    return true
  }
  // It may have looked like a reply: see `forgetCopy`.
  if (isAnswer) return false
  const keys = keysOf(lead.id, message, who)
  // A forger may have sent other files first, or what looks automatic.
  const saysSame = ({ what, text }: (typeof events)[number]) =>
    what === 'reply' && text === message.written && message.attachments.length === 0
  return events.some((event) => event.who === who && (keys.includes(event.key ?? '') || saysSame(event)))
}

/**
 * Whether the message was read before, and is stored with a lead, even if an owner's email, or a
 * decision about spam, points to another one by now, or if only its headers can be read now. A copy
 * that came at another time doesn't count: whoever knows what somebody writes could hide it.
 */
export async function isReadBefore(db: Database, message: MailMessage, who: string): Promise<boolean> {
  const { messageId, receivedAt, bodyHash } = message
  const events = await db
    .selectFrom('lead_events')
    .select(['lead_id', 'key', 'received'])
    .where((event) => event.and({ message_hash: hashOf(messageId), who }))
    .where('received', 'is not', null)
    .execute()
  const isSame = ({ lead_id, key, received }: (typeof events)[number]) =>
    (bodyHash === '' || key === eventKeyOf(lead_id, message, who)) &&
    (JSON.parse(String(received)) as StoredMessage).receivedAt === receivedAt
  return receivedAt !== undefined && events.some(isSame)
}

/** Whether an owner has surely sent a message: it was in a folder of sent messages. */
export const isSent = (joined: Joined | null) => joined === 'sent' || joined === 'shared'

const setJoined = (transaction: Database, id: number, joined: Joined) =>
  transaction.updateTable('lead_events').set({ joined }).where('id', '=', id).execute()

/**
 * Deletes the copy of an owner's message which looked like a reply, because MAIL_TO doesn't name
 * its sender.
 */
export const forgetCopy = (transaction: Database, lead: StoredLead, { messageId, from }: MailMessage) =>
  transaction
    .deleteFrom('lead_events')
    .where((event) => event.and({ lead_id: lead.id, what: 'reply', who: from }))
    .where('message_hash', '=', hashOf(messageId))
    .execute()
