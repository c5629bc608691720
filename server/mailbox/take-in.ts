import { replyDueAt } from '#shared/promise-clock.ts'
import type { Context } from '../context.ts'
import type { Database, StoredMessage } from '../database/schema.ts'
import { handleFailedAnswer } from '../inbox/leads/answer-trouble.ts'
import { addEvent, applyDecision, columnsFor, lockLead, type StoredLead } from '../inbox/leads/change-lead.ts'
import { domainOf, type NewEmail, type Reply } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { type Found, findLead, isOurs, keyOf, ofMessage } from './find-lead.ts'
import type { Bounce, Message } from './read-message.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// A stranger who writes again and again can't use up the day's emails.
const MAX_NOTICES_A_DAY = 5
// Nor fill the disk. What comes after these stays in the mailbox.
const MAX_MESSAGES_A_DAY = 200

type Deps = Pick<Context, 'db' | 'write' | 'now' | 'env'> & { onQueued: () => void }

/** The folder that a message was found in. Only what is in `sent` was surely written by an owner: a sender can be forged. */
export type Folder = 'inbox' | 'sent'

/**
 * Creates a function that stores a message with the lead it belongs to, at most once. A visitor's message reopens the lead; an
 * owner's answers it; what a program wrote changes nothing else. Ignores everything that belongs to no lead.
 */
export function createTakeIn({ db, write, now, env, onQueued }: Deps) {
  const owners = [...env.MAIL_TO, env.MAIL_FROM.address].map((address) => address.toLowerCase())

  async function takeIn(message: Message, folder: Folder): Promise<void> {
    if (message.bounce) return takeInBounce(message.bounce)
    if (await isOurs(db, message.messageId)) return
    const isFromOwner = folder === 'sent'
    // Such as a vacation notice, or a copy of our receipt, whose Message-ID some mail servers change: nobody has answered.
    if (isFromOwner && message.isAutomatic) return
    // In the inbox, a message from an owner may be forged. If it's real, it's in the folder of sent messages, too.
    if (!isFromOwner && owners.includes(message.from)) return
    const found = await findLead(db, message, isFromOwner ? message.to : [message.from])
    if (!found || (isFromOwner && !(await isToVisitor(db, found, message)))) return
    await write(async (transaction) => {
      const lead = await lockLead(transaction, found.reference)
      // The copy of an owner's message, from an address that MAIL_TO doesn't name, looked like a reply.
      if (isFromOwner)
        await transaction
          .deleteFrom('lead_events')
          .where((event) => event.and({ lead_id: lead.id, what: 'reply', key: keyOf(message.messageId) }))
          .execute()
      if (await ofMessage(transaction, message.messageId)) return
      const dayAgo = new Date(now().getTime() - DAY_MS).toISOString()
      const today = await receivedSince(transaction, lead, dayAgo)
      if (today.length >= MAX_MESSAGES_A_DAY) return
      if (isFromOwner) return recordAnswer(transaction, lead, message)
      if (message.isAutomatic || lead.state === 'spam') return recordOnly(transaction, lead, message)
      await recordReply(transaction, lead, message)
      if (today.filter(({ what }) => what === 'reply').length >= MAX_NOTICES_A_DAY) return
      await enqueue(transaction, noticesOf(lead, message), now())
    })
    onQueued()
  }

  const recordOnly = (transaction: Database, lead: StoredLead, message: Message) =>
    addEvent(transaction, {
      ...{ lead_id: lead.id, at: now().toISOString(), who: message.from, what: 'automatic_reply' },
      ...columnsOf(message),
    })

  /** An owner has answered from an email program. The draft stays. */
  async function recordAnswer(transaction: Database, lead: StoredLead, message: Message) {
    const at = now()
    const who = owners.includes(message.from) ? message.from : (env.MAIL_TO[0] ?? message.from)
    const state = lead.state === 'open' ? 'answered' : lead.state
    const set = lead.state === 'spam' ? {} : { ...columnsFor(lead, 'answered', at), state }
    const event = { what: 'answered_by_mail', ...columnsOf(message) } as const
    await applyDecision(transaction, lead, { set, event }, { at, who })
  }

  /** The visitor has written again: the lead is open, with a new promise. */
  async function recordReply(transaction: Database, lead: StoredLead, message: Message) {
    const at = now()
    // A lead that waits keeps its promise: otherwise, a visitor who asks again and again would never be late.
    const isWaiting = lead.state === 'open' && lead.follow_up_on === null
    const dueAt = isWaiting ? lead.due_at : replyDueAt(at).toISOString()
    const due = { due_at: dueAt, first_due_at: lead.first_due_at ?? lead.due_at }
    const set = { ...due, state: 'open', follow_up_on: null, replied_at: at.toISOString() } as const
    const event = { what: 'reply', before: null, ...columnsOf(message) } as const
    await applyDecision(transaction, lead, { set, event }, { at, who: message.from })
  }

  function noticesOf({ id }: StoredLead, { messageId }: Message): NewEmail[] {
    const about = {
      leadId: id,
      kind: 'owner_notice',
      content: JSON.stringify({ key: keyOf(messageId) }),
    } as const
    const ours = (owner: number) => `<${id}.reply-${now().getTime()}.${owner}@${domainOf(env.MAIL_FROM)}>`
    return env.MAIL_TO.map((recipient, index) => ({ ...about, recipient, messageId: ours(index) }))
  }

  /** Does what happens if the mail server refuses an email at once: see `OutboxStore.record`. */
  async function takeInBounce({ messageId, subject, recipient, status, reason }: Bounce): Promise<void> {
    const known = await findLead(db, { answers: [messageId], subject: '' }, [])
    // Some mail services, such as Amazon SES, change the Message-ID of what we send.
    const lead = known ?? (await findLead(db, { answers: [], subject }, [recipient]))
    if (!lead) return
    const at = now()
    const isBounce = /^5\.1\./.test(status)
    const reply = { smtpCode: status.startsWith('4') ? null : 550, response: reason || status, isBounce }
    await write(async (transaction) => {
      await lockLead(transaction, lead.reference)
      const email =
        (await fail(transaction, lead.id, known && messageId, reply, at)) ??
        (await findOwnersAnswer(transaction, lead, messageId))
      if (email) await handleFailedAnswer(transaction, email, { reply, at, willRetry: false })
    })
    onQueued()
  }

  /** An owner's answer from an email program; undefined if there is none, or if it has come back before. */
  async function findOwnersAnswer(transaction: Database, { id, email }: Found, messageId: string) {
    const events = transaction.selectFrom('lead_events').where('lead_id', '=', id)
    const answer = await events
      .select(['id', 'who as owner', 'text', 'at'])
      .where((event) => event.and({ key: keyOf(messageId), what: 'answered_by_mail' }))
      .executeTakeFirst()
    if (!answer) return undefined
    const failed = events.select('id').where('what', '=', 'answer_failed').where('id', '>', answer.id)
    if (await failed.executeTakeFirst()) return undefined
    const ours = `<${id}.${answer.id}.answer@${domainOf(env.MAIL_FROM)}>`
    const sent = { recipient: email, queuedAt: answer.at, messageId: ours, attempts: 1 }
    return { kind: 'answer', leadId: id, content: JSON.stringify(answer), ...sent } as const
  }

  return takeIn
}

/** Marks an email to the visitor, by default the newest, as failed, if it was sent, and returns it. */
async function fail(
  transaction: Database,
  leadId: string,
  messageId: string | undefined,
  reply: Reply,
  at: Date,
) {
  const sent = transaction
    .selectFrom('outbox')
    .select('id')
    .where((row) => row.and({ lead_id: leadId, state: 'sent', ...(messageId && { message_id: messageId }) }))
    .where('kind', 'in', ['answer', 'visitor_receipt'])
    .orderBy('id', 'desc')
    .limit(1)
  const email = await transaction
    .updateTable('outbox')
    .set({ state: 'failed', cause: 'recipient' })
    .where('id', 'in', sent)
    .returning([
      ...(['id', 'kind', 'lead_id as leadId', 'content', 'recipient'] as const),
      ...(['attempts', 'queued_at as queuedAt', 'message_id as messageId'] as const),
    ])
    .executeTakeFirst()
  const response = `Returned later: ${reply.response}`
  const outcome = reply.isBounce ? 'bounced' : 'failed'
  if (email)
    await transaction
      .insertInto('outbox_attempts')
      .values({ outbox_id: email.id, at: at.toISOString(), smtp_code: null, response, outcome })
      .execute()
  return email
}

const columnsOf = ({ messageId, written, quoted, attachments }: Message) => ({
  key: keyOf(messageId),
  text: written,
  received: JSON.stringify({ messageId, quoted, attachments } satisfies StoredMessage),
})

/** Whether an owner's message is for the visitor, who may have written from another address, too. */
async function isToVisitor(db: Database, { id, email }: { id: string; email: string }, { to }: Message) {
  if (to.includes(email.toLowerCase())) return true
  const replies = db
    .selectFrom('lead_events')
    .select('id')
    .where('lead_id', '=', id)
    .where('what', '=', 'reply')
  // PostgreSQL rejects an empty list.
  return (await replies.where('who', 'in', ['', ...to]).executeTakeFirst()) !== undefined
}

/** What was read in for the lead since then. */
const receivedSince = (db: Database, { id }: StoredLead, time: string) =>
  db
    .selectFrom('lead_events')
    .select('what')
    .where('lead_id', '=', id)
    .where('received', 'is not', null)
    .where('at', '>', time)
    .execute()
