import { replyDueAt } from '#shared/promise-clock.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database/schema.ts'
import { addEvent, applyDecision, type StoredLead } from '../leads/change/change-lead.ts'
import { columnsAfterEmail, timeOfAnswer } from '../leads/change/mark-lead.ts'
import { markUnheard, queueReplyNotices } from '../leads/emails/reply-notices.ts'
import { sortKey } from '../leads/lists/sort-key.ts'
import { type Belonging, columnsOf, forgetCopy } from './stored-messages.ts'
import { answersAll, isAnsweredBefore } from './who-waits.ts'

/** `who`: the address of a message's sender. `at`: when it is stored. */
type Recorded = { who: string; at: Date; env: Context['env'] }
/** Stores a message with its lead, and does what follows from it. */
export type RecordMessage = (
  transaction: Database,
  lead: StoredLead,
  message: Belonging,
  recorded: Recorded,
) => Promise<void>

/**
 * Stores what a program has sent, or what somebody has written about spam, which changes nothing
 * else. If it's news, the next list names the lead, which looks unread.
 */
export const recordMinor: RecordMessage = async (transaction, lead, message, { who, at }) => {
  const isNews = await isMinorNews(transaction, lead, message)
  const event = {
    lead_id: lead.id,
    at: at.toISOString(),
    who,
    what: 'automatic_reply',
    ...columnsOf(lead, message, who),
  } as const
  await addEvent(transaction, event, message.found)
  if (isNews) await markUnheard(transaction, lead.id)
}

/** An owner has answered from an email program. The draft stays. */
export const recordAnswer: RecordMessage = async (transaction, lead, message, { who, at }) => {
  await forgetCopy(transaction, lead, message)
  const answeredAt = timeOfAnswer(lead, at, message.receivedAt)
  const isAnswered = lead.state !== 'spam' && (await answersAll(transaction, lead, message))
  const columns = isAnswered ? columnsAfterEmail(lead, answeredAt) : {}
  // The change is new: see `createRetention`.
  const set = { ...columns, sort_key: sortKey({ ...lead, ...columns }, at.toISOString()) }
  const event = { what: 'answered_by_mail', ...columnsOf(lead, message, who, message.to) } as const
  await applyDecision(transaction, lead, { set, event, found: message.found }, { at: answeredAt, who })
}

/**
 * The visitor has written again: the lead is open, with a new promise. If an owner has answered
 * that before it was read, the next list names it.
 */
export const recordReply: RecordMessage = async (transaction, lead, message, recorded) => {
  if (lead.state === 'spam') return recordMinor(transaction, lead, message, recorded)
  const { who, at, env } = recorded
  const columns = columnsOf(lead, message, who)
  const event = { what: 'reply', ...columns } as const
  if (await isAnsweredBefore(transaction, lead, message, who)) {
    await applyDecision(transaction, lead, { set: {}, event, found: message.found }, { at, who })
    await markUnheard(transaction, lead.id)
    return
  }
  // A lead that waits keeps its promise: otherwise, a visitor who asks again and again would never
  // be late.
  const isWaiting = lead.state === 'open' && lead.follow_up_at === null
  const dueAt = isWaiting ? lead.due_at : replyDueAt(at).toISOString()
  const due = { due_at: dueAt, first_due_at: lead.first_due_at ?? lead.due_at }
  const set = { ...due, state: 'open', follow_up_at: null, replied_at: at.toISOString() } as const
  await applyDecision(transaction, lead, { set, event, found: message.found }, { at, who })
  await queueReplyNotices(transaction, lead, columns.key, { env, at })
}

/**
 * Whether a list has to name the lead. A program's message is news if it passes on somebody's
 * words. What somebody writes about spam may come from the person in whose name it was sent. So
 * that spam can't fill the lists, only the first message is news since an owner has looked at the
 * spam, or decided that it is spam.
 */
async function isMinorNews(
  transaction: Database,
  { id, state, seen_at }: StoredLead,
  { isAutomatic, isAutoReply, written }: Belonging,
): Promise<boolean> {
  if (isAutomatic) return !isAutoReply && written !== '' && state !== 'spam'
  if (seen_at !== null) return true
  const last = await transaction
    .selectFrom('lead_events')
    .select('what')
    .where('lead_id', '=', id)
    .where('what', 'in', ['reply', 'automatic_reply', 'verdict'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.what === 'verdict'
}
