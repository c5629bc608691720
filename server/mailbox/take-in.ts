import { sql } from 'kysely'
import { replyDueAt } from '#shared/promise-clock.ts'
import type { Context } from '../context.ts'
import type { Database, StoredMessage } from '../database/schema.ts'
import { addEvent, applyDecision, columnsFor, lockLead, type StoredLead } from '../inbox/leads/change-lead.ts'
import { domainOf, type NewEmail } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { type Found, findLead, findLeadsOfSent, findOurs, hashOf, isOurs, keyOf } from './find-lead.ts'
import { type Message, UNREADABLE } from './read-message.ts'
import { createTakeInBounce } from './take-in-bounce.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// How many messages of a day a lead keeps. Those that prove nothing count apart: whoever forges them
// must not use up the room of the others.
const MAX_A_DAY = 200
const MAX_UNPROVEN_A_DAY = 20
// Characters, with quotations. Of these, at most half are of messages that prove nothing.
const MAX_KEPT = 2_000_000
/** What stands for all further messages of a day. */
export const MORE = 'More messages came today than are kept here. You find them in your mailbox.'

type Deps = Pick<Context, 'db' | 'write' | 'now' | 'env' | 'log'> & { onQueued: () => void }

/** The folder that a message was found in. Only what is in `sent` was surely written by an owner: a sender can be forged. */
export type Folder = 'inbox' | 'sent'

type Belonging = Message & Pick<Found, 'joined'>
/** Stores a message with a lead. `who`: the address of its sender. */
type Record = (transaction: Database, lead: StoredLead, message: Belonging, who: string) => Promise<void>

/**
 * Creates a function that stores a message with the lead it belongs to, at most once. A visitor's message reopens the lead; an
 * owner's answers it; what a program wrote changes nothing else. Ignores everything that belongs to no lead.
 */
export function createTakeIn({ db, write, now, env, log, onQueued }: Deps) {
  const owners = [...env.MAIL_TO, env.MAIL_FROM.address].map((address) => address.toLowerCase())
  const takeInBounce = createTakeInBounce({ write, db, now, env, onQueued })

  async function takeIn(message: Message, folder: Folder): Promise<void> {
    if (message.bounce) return takeInBounce(message.bounce)
    const isByOwner = folder === 'sent' || owners.includes(message.from)
    if (isByOwner && (await isOurs(db, message.messageId))) return
    // Such as a vacation notice, or a copy of our receipt, whose Message-ID some mail servers change: nobody has answered.
    if (isByOwner && message.isAutomatic) return
    if (folder === 'sent') return takeInSent(message)
    if (isByOwner) return takeInFromOurs(message)
    const lead = await findLead(db, message, message.from, now())
    if (lead) await takeInFromVisitor(lead, message, message.from)
  }

  async function takeInSent(message: Message): Promise<void> {
    const who = owners.includes(message.from) ? message.from : (env.MAIL_TO[0] ?? message.from)
    for (const lead of await findLeadsOfSent(db, message, now()))
      await store(lead, message, who, recordAnswer)
  }

  /** A message from one of our addresses: an owner's, or one to a group that has put our address into From. */
  async function takeInFromOurs(message: Message): Promise<void> {
    const answered = await findOurs(db, message)
    if (answered) return store(answered, message, message.from, recordAnswer)
    const sender = message.behind.find((address) => !owners.includes(address))
    if (!sender) return
    const lead = await findLead(db, message, sender, now())
    if (lead?.joined === 'ours') await takeInFromVisitor(lead, message, sender)
  }

  async function takeInFromVisitor(lead: Found, message: Message, who: string): Promise<void> {
    const isNoLetter = message.isAutomatic || message.isNewsletter
    if (lead.joined === 'address' && isNoLetter) return
    await store(lead, message, who, message.isAutomatic ? recordAutomatic : recordReply)
  }

  async function store(found: Found, message: Message, who: string, record: Record): Promise<void> {
    await write(async (transaction) => {
      const lead = await lockLead(transaction, found.reference)
      if (await isStored(transaction, lead, message, who)) return
      const room = await roomIn(transaction, lead, found, now())
      if (room === 'none')
        return log.warn({ leadId: lead.id }, 'a message is only in the mailbox: too many came today')
      const kept = room === 'all' ? message : { ...message, written: room, quoted: '', attachments: [] }
      await record(transaction, lead, { ...kept, joined: found.joined }, who)
    })
    onQueued()
  }

  /** What a program has sent. If it only passes on somebody's words, the next list names the lead, which looks unread. */
  async function recordAutomatic(transaction: Database, lead: StoredLead, message: Belonging, who: string) {
    await addEvent(transaction, {
      lead_id: lead.id,
      at: now().toISOString(),
      who,
      what: 'automatic_reply',
      ...columnsOf(lead, message, who),
    })
    if (message.isAutoReply || message.written === '' || lead.state === 'spam') return
    const set = { seen_at: null, awaits_list: 1 } as const
    await transaction.updateTable('leads').set(set).where('id', '=', lead.id).execute()
  }

  /** An owner has answered from an email program. The draft stays. */
  async function recordAnswer(transaction: Database, lead: StoredLead, message: Belonging, who: string) {
    await forgetCopy(transaction, lead, message)
    const at = now()
    const state = lead.state === 'open' ? 'answered' : lead.state
    const set = lead.state === 'spam' ? {} : { ...columnsFor(lead, 'answered', at), state }
    const event = { what: 'answered_by_mail', ...columnsOf(lead, message, who, message.to) } as const
    await applyDecision(transaction, lead, { set, event }, { at, who })
  }

  /** The visitor has written again: the lead is open, with a new promise. */
  async function recordReply(transaction: Database, lead: StoredLead, message: Belonging, who: string) {
    if (lead.state === 'spam') return recordAutomatic(transaction, lead, message, who)
    const at = now()
    // A lead that waits keeps its promise: otherwise, a visitor who asks again and again would never be late.
    const isWaiting = lead.state === 'open' && lead.follow_up_on === null
    const dueAt = isWaiting ? lead.due_at : replyDueAt(at).toISOString()
    const due = { due_at: dueAt, first_due_at: lead.first_due_at ?? lead.due_at }
    const set = { ...due, state: 'open', follow_up_on: null, replied_at: at.toISOString() } as const
    const columns = columnsOf(lead, message, who)
    const event = { what: 'reply', before: null, ...columns } as const
    await applyDecision(transaction, lead, { set, event }, { at, who })
    // A list is about to name the lead, so strangers can't fill the queue.
    if (lead.awaits_list === 0) await enqueue(transaction, noticesOf(lead, columns.key), at)
  }

  function noticesOf({ id }: StoredLead, key: string): NewEmail[] {
    const content = JSON.stringify({ key })
    const ours = (owner: number) => `<${id}.reply-${key.slice(-22)}.${owner}@${domainOf(env.MAIL_FROM)}>`
    return env.MAIL_TO.map((recipient, index) => ({
      leadId: id,
      kind: 'owner_notice',
      content,
      recipient,
      messageId: ours(index),
    }))
  }

  return takeIn
}

const columnsOf = (lead: StoredLead, message: Belonging, who: string, to?: string[]) => {
  const { messageId, written, quoted, attachments, joined } = message
  return {
    key: keyOf(lead.id, message, who),
    message_hash: hashOf(messageId),
    joined,
    text: written,
    received: JSON.stringify({ messageId, quoted, attachments, ...(to && { to }) } satisfies StoredMessage),
  }
}

/** Whether the message was read before, perhaps by an earlier version, whose keys had only the Message-ID. */
async function isStored(transaction: Database, lead: StoredLead, message: Message, who: string) {
  const keys = [keyOf(lead.id, message, who), `mail ${hashOf(message.messageId)}`]
  const events = transaction.selectFrom('lead_events').select('id').where('lead_id', '=', lead.id)
  return (await events.where('key', 'in', keys).where('who', '=', who).executeTakeFirst()) !== undefined
}

/** Deletes the copy of an owner's message which looked like a reply, because MAIL_TO doesn't name its sender. */
const forgetCopy = (transaction: Database, lead: StoredLead, { messageId, from }: Message) =>
  transaction
    .deleteFrom('lead_events')
    .where((event) => event.and({ lead_id: lead.id, what: 'reply', who: from }))
    .where('message_hash', '=', hashOf(messageId))
    .execute()

/**
 * How much of another message a lead can keep: all, none, or only the returned sentence in place of its words. So nobody can
 * fill the disk.
 */
async function roomIn(
  db: Database,
  lead: StoredLead,
  { joined }: Found,
  now: Date,
): Promise<'all' | 'none' | string> {
  const isUnproven = joined === 'address' || joined === 'reference'
  const received = db
    .selectFrom('lead_events')
    .where('lead_id', '=', lead.id)
    .where('received', 'is not', null)
  const { kept, today, unproven } = await received
    .select(({ fn }) => [
      sql<number>`coalesce(sum(length(text) + length(received)), 0)`.as('kept'),
      fn.countAll<number>().filterWhere('at', '>', dayBefore(now)).as('today'),
      fn
        .countAll<number>()
        .filterWhere('at', '>', dayBefore(now))
        .filterWhere('joined', 'in', ['address', 'reference'])
        .as('unproven'),
    ])
    .executeTakeFirstOrThrow()
  const left = isUnproven ? MAX_UNPROVEN_A_DAY - unproven : MAX_A_DAY - (today - unproven)
  if (left <= 0) return 'none'
  if (left === 1) return MORE
  return kept < (isUnproven ? MAX_KEPT / 2 : MAX_KEPT) ? 'all' : UNREADABLE
}

const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS).toISOString()
