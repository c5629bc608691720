import type * as z from 'zod/mini'
import { type answerQueued, type LeadState, UNDO_SECONDS } from '#shared/inbox/lead.ts'
import { lockNames } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import { domainOf, type MailAddress } from '../../mail/mailer.ts'
import { enqueue } from '../../outbox/enqueue.ts'
import { Problem } from '../../problem.ts'
import { type QueuedAnswer, readAnswer } from './answer-content.ts'
import { applyDecision, type Change, type ChangeDeps } from './change-lead.ts'
import { changedMeanwhile, conflict } from './conflict.ts'
import { findByKey, type LeadEventRow } from './lead-events.ts'
import { lockLead, type StoredLead } from './lock-lead.ts'
import { followUpEnds } from './mark-lead.ts'
import { deleteDraft } from './save-draft.ts'

export type AnswerDeps = ChangeDeps & { mailFrom: MailAddress; onQueuedFor: (dueAt: Date) => void }
/** `key` is an idempotency key: a repeated request sends only one email. */
type Answer = Change & { key: string; text: string }
type AnswerQueued = z.infer<typeof answerQueued>

/**
 * Queues an answer to the visitor and a copy for the owner, both due when the answer can no longer be undone, and marks
 * the lead as answered: all in one transaction. Throws a Problem: `conflict`, or `idempotency_conflict` for a used key.
 */
export async function answerLead(deps: AnswerDeps, answer: Answer): Promise<AnswerQueued> {
  const queued = await deps.write(async (transaction) => {
    const lead = await lockLead(transaction, answer.reference)
    await lockNames(transaction, [`answer ${answer.key}`])
    const earlier = await findByKey(transaction, answer.key)
    if (earlier) return repeat(transaction, lead, answer, earlier)
    if (lead.version !== answer.version) throw await changedMeanwhile(transaction, lead, answer.who)
    if (lead.state === 'spam')
      throw conflict(lead, 'This lead is marked as spam. If it is not spam, say so first.')
    return queue(transaction, lead, answer, deps)
  })
  deps.onQueuedFor(new Date(queued.sendsAt))
  return queued
}

/** Gives a repeated request the same response as the first one. */
async function repeat(
  db: Database,
  lead: StoredLead,
  { who, key, text }: Answer,
  earlier: LeadEventRow,
): Promise<AnswerQueued> {
  if (earlier.lead_id !== lead.id || earlier.who !== who || earlier.text !== text)
    throw new Problem('idempotency_conflict', 'This answer was already sent with a different text.')
  const queued = await readAnswer(db, lead.id, key)
  if (!queued) throw conflict(lead, 'This answer was undone. Please send it again.')
  return responseTo(queued)
}

const responseTo = ({ key, sendsAt, before }: QueuedAnswer): AnswerQueued => ({
  state: stateAfter(before),
  version: before.version + 1,
  key,
  sendsAt,
})

/** An answer doesn't change whether a lead was won or lost. */
const stateAfter = ({ state }: Pick<StoredLead, 'state'>): LeadState =>
  state === 'won' || state === 'lost' ? state : 'answered'

async function queue(
  transaction: Database,
  lead: StoredLead,
  { who, key, text }: Answer,
  { now, mailFrom }: AnswerDeps,
): Promise<AnswerQueued> {
  const at = now()
  const queued = await prepare(transaction, lead, { key, text, owner: who, at })
  const { before, ...content } = queued
  const domain = domainOf(mailFrom)
  await applyDecision(transaction, lead, decisionFor(lead, queued), { at, who })
  await deleteDraft(transaction, lead.id, who)
  const dueAt = new Date(queued.sendsAt)
  await enqueue(
    transaction,
    [
      {
        leadId: lead.id,
        kind: 'answer',
        recipient: lead.email,
        messageId: `<${key}.answer@${domain}>`,
        content: JSON.stringify({ ...content, before }),
      },
      {
        leadId: lead.id,
        kind: 'answer_copy',
        recipient: who,
        messageId: `<${key}.copy@${domain}>`,
        content: JSON.stringify(content),
      },
    ],
    dueAt,
  )
  return responseTo(queued)
}

async function prepare(
  db: Database,
  lead: StoredLead,
  { at, ...answer }: { key: string; text: string; owner: string; at: Date },
): Promise<QueuedAnswer> {
  const receipt = await db
    .selectFrom('outbox')
    .select('message_id')
    .where('lead_id', '=', lead.id)
    .where('kind', '=', 'visitor_receipt')
    .where('state', '=', 'sent')
    .executeTakeFirst()
  const { state, version, sort_key, follow_up_on, trouble, answered_at } = lead
  return {
    ...answer,
    at: at.toISOString(),
    sendsAt: new Date(at.getTime() + UNDO_SECONDS * 1000).toISOString(),
    repliesTo: receipt?.message_id ?? null,
    before: { state, version, sort_key, follow_up_on, trouble, answered_at },
  }
}

const decisionFor = (lead: StoredLead, { key, text, at }: QueuedAnswer) => ({
  set: {
    state: stateAfter(lead),
    answered_at: lead.answered_at ?? at,
    trouble: null,
    follow_up_on: null,
  },
  events: [
    ...followUpEnds(lead),
    { what: 'answer' as const, from_value: lead.state, to_value: stateAfter(lead), text, key },
  ],
})
