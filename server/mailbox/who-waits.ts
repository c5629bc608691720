import type { Database, Joined, StoredMessage } from '../database/schema.ts'
import { type StoredLead, wasUndone } from '../leads/change/change-lead.ts'
import { lastAnswerId, lastSettledId } from '../leads/emails/reply-notices.ts'
import { stillWaiting, type Waiter } from '../leads/emails/still-waiting.ts'
import { idOfOurs } from './message-ids.ts'
import type { MailMessage } from './read-message.ts'

/**
 * Whether after this message of an owner nobody waits anymore. To answer one must not silence
 * another. These wait: the person of a request that nobody has answered, or that an owner has
 * changed back to open, whoever has written since the last answer, unless an owner said that this
 * needed none, and whoever didn't get an answer that has failed. An owner's message answers its
 * recipients, but only what the mail server got before it: it may be read late. It answers nothing
 * while a list still has to name the lead: strangers can fill the budget of notices. If nobody
 * waits, it is an answer if it goes to the person.
 */
export async function answersAll(transaction: Database, lead: StoredLead, message: MailMessage) {
  const { id, email, created_at, awaits_list, seen_at } = lead
  if (awaits_list === 1 && seen_at === null) return false
  const { lastAnswer, settled } = await transaction
    .selectFrom('leads')
    .select([lastAnswerId.as('lastAnswer'), lastSettledId.as('settled')])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const events = await transaction
    .selectFrom('lead_events')
    .select(['what', 'who', 'received', 'recipient'])
    .where('lead_id', '=', id)
    .where('id', '>', lastAnswer)
    .where(({ or, and, eb, not }) =>
      or([
        and([
          eb('what', '=', 'reply'),
          eb('received', 'is not', null),
          eb('id', '>', settled),
          // Not if an owner had answered it before it was read.
          eb('to_value', '=', 'open'),
        ]),
        and([eb('what', '=', 'answered_by_mail'), eb('received', 'is not', null)]),
        eb('what', '=', 'answer_failed'),
        and([eb('what', '=', 'state'), eb('to_value', '=', 'open'), not(wasUndone('lead_events'))]),
      ]),
    )
    .orderBy('id')
    .execute()
  const person = email.toLowerCase()
  const request: Waiter = { who: person, receivedAt: created_at }
  let waiting: Waiter[] = lastAnswer === 0 ? [request] : []
  for (const { what, who, received, recipient } of events) {
    const stored: StoredMessage = JSON.parse(received ?? '{}')
    if (what === 'answered_by_mail') waiting = stillWaiting(waiting, stored)
    else waiting = [...waiting, { ...stored, who: what === 'reply' ? who : (recipient ?? person) }]
  }
  // What answers our email about the request came after it, whatever the clocks show.
  if (message.answers.some((answered) => idOfOurs.exec(answered)?.[1] === id))
    waiting = waiting.map((one) => (one === request ? { who: person } : one))
  const hasReply = events.some(({ what }) => what === 'reply')
  return stillWaiting(waiting, message).length === 0 && (hasReply || message.to.includes(person))
}

// Less time is not enough to read a message and to answer it.
const ANSWERING_MS = 60 * 1000
// The newest emails of owners tell.
const MAX_ANSWERS = 100

/**
 * Whether an owner has answered a visitor's message before it was read: after trouble with the
 * mailbox, what was sent is read first. Only if nobody waits, and not what may be forged.
 */
export async function isAnsweredBefore(
  transaction: Database,
  { id, state }: StoredLead,
  { receivedAt, joined }: Pick<MailMessage, 'receivedAt'> & { joined: Joined },
  who: string,
): Promise<boolean> {
  if (state !== 'answered' || joined !== 'ours' || !receivedAt) return false
  const from = new Date(Date.parse(receivedAt) + ANSWERING_MS).toISOString()
  const answers = await transaction
    .selectFrom('lead_events')
    .select(['received', 'at'])
    .where((event) => event.and({ lead_id: id, what: 'answered_by_mail' }))
    .where('joined', 'in', ['sent', 'shared'])
    .orderBy('id', 'desc')
    .limit(MAX_ANSWERS)
    .execute()
  return answers.some(({ received, at }) => {
    const { to = [], receivedAt: sentAt = '' }: StoredMessage = JSON.parse(received ?? '{}')
    // An email program says when it has sent something, and its clock may be fast: it was not sent
    // later than it was read.
    return to.includes(who) && sentAt >= from && at >= from
  })
}
