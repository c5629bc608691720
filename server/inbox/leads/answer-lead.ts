import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { contactSchema } from '#shared/contact-request.ts'
import { type answerQueued, UNDO_SECONDS } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { searchTextOf } from '../../leads/search-text.ts'
import { domainOf, type MailAddress } from '../../mail/mailer.ts'
import { enqueue } from '../../outbox/enqueue.ts'
import { Problem } from '../../problem.ts'
import {
  addEvent,
  applyDecision,
  type Change,
  type ChangeDeps,
  changedMeanwhile,
  conflict,
  findByKey,
  type LeadEventRow,
  lockLead,
  type StoredLead,
} from './change-lead.ts'
import { columnsFor } from './mark-lead.ts'
import { endDraft } from './save-draft.ts'

/**
 * The content of an answer, fixed when the owner presses Send so that every attempt sends the same bytes. Stored as JSON in
 * `outbox.content`.
 */
export type AnswerContent = {
  key: string
  text: string
  /** The address of the owner who answers. */
  owner: string
  at: string
  /** The Message-ID of the receipt that began the conversation, or null. */
  repliesTo: string | null
  /** The Message-IDs of earlier answers, oldest first. */
  earlier?: string[]
}

/**
 * An SQL condition for `outbox` rows of kind `answer` or `answer_copy`. It is true until an email worker first claims the
 * row to send it. A claim changes all of these columns except `queued_at`, and releasing it doesn't restore `due_at`.
 */
export const isUndoable = sql<boolean>`state = 'queued' and attempts = 0 and due_at = queued_at`

/**
 * Matches both emails of an answer: the visitor's, and the owner's copy. Ignores the domain of their Message-IDs, because it
 * comes from MAIL_FROM, which can change.
 */
export const emailsOf = (leadId: string, key: string) =>
  sql<boolean>`lead_id = ${leadId} and kind in ('answer', 'answer_copy') and message_id like ${`<${key}.%`}`

type AnswerDeps = ChangeDeps & { mailFrom: MailAddress }
/**
 * `key`: an idempotency key, so that a repeated request sends the answer only once. `base`: the draft as the page last
 * loaded or saved it, so that a draft written on another device isn't deleted. `to`: a corrected address of the person.
 */
type Answer = Change & { key: string; text: string; base: string | null; to?: string | undefined }
type AnswerQueued = z.infer<typeof answerQueued>

/**
 * In one transaction, marks the lead as answered, and queues the answer and the owner's copy, to be sent once undo is no
 * longer possible. Throws a Problem: `conflict` if the lead has changed or is spam, or if the answer was undone or has
 * failed; `idempotency_conflict` if the key belongs to a different answer.
 */
export async function answerLead(deps: AnswerDeps, answer: Answer): Promise<AnswerQueued> {
  return deps.write(async (transaction) => {
    const lead = await lockLead(transaction, answer.reference)
    const earlier = await findByKey(transaction, answer.key)
    if (earlier) return repeat(transaction, lead, answer, earlier)
    if (lead.version !== answer.version) throw await changedMeanwhile(transaction, lead, answer.who)
    if (lead.state === 'spam') throw conflict(lead, 'This lead is marked as spam. Mark it as not spam first.')
    return queue(transaction, lead, answer, deps)
  })
}

/** Gives a repeated request the same response as the first, but with the lead's current state. */
async function repeat(
  transaction: Database,
  lead: StoredLead,
  answer: Answer,
  earlier: LeadEventRow,
): Promise<AnswerQueued> {
  const { who, key, text, to } = answer
  if (earlier.lead_id !== lead.id || earlier.who !== who || earlier.text !== text)
    throw new Problem('idempotency_conflict', 'This answer was already sent with a different text.')
  const email = await transaction
    .selectFrom('outbox')
    .select(['state', 'recipient'])
    .where(emailsOf(lead.id, key))
    .where('kind', '=', 'answer')
    .executeTakeFirst()
  if (!email) throw conflict(lead, 'This answer was undone. Please send it again.')
  if (to !== undefined && email.recipient !== readRecipient(lead, to))
    throw new Problem('idempotency_conflict', 'This answer was already sent to another address.')
  if (email.state === 'failed')
    throw conflict(lead, 'This answer did not arrive: the history says why. Please send it again.')
  return {
    state: lead.state,
    version: lead.version,
    key,
    sendsAt: sendsAt(new Date(earlier.at)).toISOString(),
    draft: await endDraft(transaction, lead.id, answer),
  }
}

const sendsAt = (at: Date) => new Date(at.getTime() + UNDO_SECONDS * 1000)

async function queue(
  transaction: Database,
  lead: StoredLead,
  answer: Answer,
  { now, mailFrom }: AnswerDeps,
): Promise<AnswerQueued> {
  const { who, key, text } = answer
  const at = now()
  const recipient = readRecipient(lead, answer.to)
  await correctAddress(transaction, lead, recipient, { at, who })
  const set = columnsAnswered(lead, at)
  const event = { what: 'answer', from_value: lead.state, to_value: set.state, text, key } as const
  const status = await applyDecision(transaction, lead, { set, event }, { at, who })
  const draft = await endDraft(transaction, lead.id, answer)
  const conversation = await findConversation(transaction, lead)
  const content: AnswerContent = { key, text, owner: who, at: at.toISOString(), ...conversation }
  const email = { leadId: lead.id, content: JSON.stringify(content) }
  const domain = domainOf(mailFrom)
  await enqueue(
    transaction,
    [
      { ...email, kind: 'answer', recipient, messageId: `<${key}.answer@${domain}>` },
      { ...email, kind: 'answer_copy', recipient: who, messageId: `<${key}.copy@${domain}>` },
    ],
    sendsAt(at),
  )
  return { ...status, key, sendsAt: sendsAt(at).toISOString(), draft }
}

/** The columns that an answer sets. A lead marked as won or lost keeps its state. */
export const columnsAnswered = (lead: StoredLead, at: Date) => ({
  ...columnsFor(lead, 'answered', at),
  state: lead.state === 'won' || lead.state === 'lost' ? lead.state : ('answered' as const),
})

/** The emails that the visitor got or will get before this answer. All answers continue the conversation of the first one. */
async function findConversation(db: Database, { id }: StoredLead) {
  const emails = await db
    .selectFrom('outbox')
    .select(['kind', 'state', 'message_id', 'content'])
    .where('lead_id', '=', id)
    .where('kind', 'in', ['visitor_receipt', 'answer'])
    .where('state', '!=', 'failed')
    .orderBy('id')
    .execute()
  const answers = emails.filter(({ kind }) => kind === 'answer')
  const first: AnswerContent | undefined = answers[0] && JSON.parse(answers[0].content ?? '{}')
  const receipt = emails.find(({ kind, state }) => kind === 'visitor_receipt' && state === 'sent')
  return {
    repliesTo: first ? first.repliesTo : (receipt?.message_id ?? null),
    earlier: answers.map(({ message_id }) => message_id),
  }
}

/** The address that an owner answers to: the person's, or a corrected one. Throws a Problem if it isn't valid. */
function readRecipient({ email }: StoredLead, to: string | undefined): string {
  if (to === undefined || to === email) return email
  const result = contactSchema.shape.email.safeParse(to)
  if (result.success) return result.data
  const message = String(result.error.issues[0]?.message)
  throw new Problem('invalid_input', message, { errors: [{ field: 'to', message }] })
}

/** Stores a corrected address, so that later emails and searches use it, and records the change in the history. */
async function correctAddress(
  transaction: Database,
  lead: StoredLead,
  corrected: string,
  { at, who }: { at: Date; who: string },
): Promise<void> {
  const { id, email } = lead
  if (corrected === email) return
  await transaction.updateTable('leads').set({ email: corrected }).where('id', '=', id).execute()
  const text = searchTextOf({ ...lead, email: corrected })
  await transaction.updateTable('lead_texts').set(text).where('lead_id', '=', id).execute()
  await addEvent(transaction, {
    lead_id: id,
    at: at.toISOString(),
    who,
    what: 'address',
    from_value: email,
    to_value: corrected,
  })
}
