import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { UNDO_SECONDS } from '#shared/inbox/lead.ts'
import type { answerQueued } from '#shared/inbox/lead-changes.ts'
import { placeholdersIn } from '#shared/inbox/saved-replies.ts'
import type { Context } from '../../context.ts'
import type { Database, EmailKind, SentFile, StoredMessage } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { domainOf, enqueue } from '../../outbox/email.ts'
import {
  addEvent,
  applyDecision,
  type Change,
  conflict,
  type LeadEventRow,
  lockLead,
  requireNotSpam,
  requireVersion,
  type StoredLead,
} from '../change/change-lead.ts'
import { columnsAfterEmail } from '../change/mark-lead.ts'
import { hasWrittenFrom } from '../search/senders.ts'
import { updateSearchText } from '../search/written-text.ts'
import { deleteDraft } from './drafts.ts'
import { takeFiles } from './files.ts'

/**
 * The content of an answer, fixed when the owner presses Send so that every attempt sends the same
 * bytes. Stored as JSON in `outbox.content`.
 */
export type AnswerContent = {
  key: string
  text: string
  /** The address of the owner who answers. */
  owner: string
  at: string
  /** The address that it goes to. Earlier versions didn't store it: then it's the lead's. */
  to?: string
  /** The Message-IDs of the conversation with that address so far, the oldest first. */
  references: string[]
  /** Earlier versions had none. */
  files?: SentFile[] | undefined
}

/**
 * `key`: an idempotency key, so that a repeated request sends the answer only once. `base`: the
 * draft as the page last loaded or saved it, so that a draft written on another device isn't
 * deleted. `to`: another address that somebody has used to write about the lead or, if nobody has,
 * a corrected address of the person. `files`: which of the attached files go with it.
 */
type Answer = Change & {
  key: string
  text: string
  base: string | null
  to?: string | undefined
  files?: string[] | undefined
}
type AnswerQueued = z.infer<typeof answerQueued>

/**
 * In one transaction, marks an open lead as answered, and queues the answer and the owner's copy,
 * to be sent once undo is no longer possible. Throws a Problem: `conflict` if the lead has changed
 * or is spam, or if the answer was undone or has failed; `idempotency_conflict` if the key belongs
 * to a different answer.
 */
export const answerLead = (
  { write, now, env }: Pick<Context, 'write' | 'now' | 'env'>,
  answer: Answer,
): Promise<AnswerQueued> =>
  lockLead(write, answer.reference, async (transaction, lead) => {
    const earlier = await findByKey(transaction, lead, answer.key)
    if (earlier) return repeat(transaction, lead, answer, earlier)
    requireVersion(lead, answer.version)
    requireNotSpam(lead)
    const { who, key, text, base, to = lead.email, files: ids = [] } = answer
    const [open] = placeholdersIn(text)
    if (open) throw new Problem('invalid_input', `Please replace ${open} before you send the answer.`)
    const at = now()
    if (to !== lead.email && !(await hasWrittenFrom(transaction, lead.id, to)))
      await correctAddress(transaction, lead, to, { at, who })
    const set = columnsAfterEmail(lead, at)
    const taken = await takeFiles(transaction, lead, { who, key, files: ids })
    const files = taken.length > 0 ? taken : undefined
    const event = {
      what: 'answer' as const,
      text,
      key,
      recipient: to.toLowerCase(),
      files: files && JSON.stringify(files),
    }
    const status = await applyDecision(transaction, lead, { set, event }, { at, who })
    await deleteDraft(transaction, lead.id, who, [base, text])
    const references = await readConversation(transaction, lead, to)
    const content: AnswerContent = { key, text, owner: who, at: at.toISOString(), to, references, files }
    const email = { leadId: lead.id, content: JSON.stringify(content) }
    const domain = domainOf(env.MAIL_FROM)
    await enqueue(
      transaction,
      [
        { ...email, kind: 'answer', recipient: to, messageId: `<${key}.answer@${domain}>` },
        { ...email, kind: 'answer_copy', recipient: who, messageId: `<${key}.copy@${domain}>` },
      ],
      sendsAt(at),
    )
    return { ...status, key, sendsAt: sendsAt(at).toISOString() }
  })

/** Gives a repeated request the same response as the first, but with the lead's current state. */
async function repeat(
  transaction: Database,
  lead: StoredLead,
  { who, key, text, to, files = [] }: Answer,
  earlier: LeadEventRow,
): Promise<AnswerQueued> {
  const email = await transaction
    .selectFrom('outbox')
    .select('recipient')
    .where(emailsOf(lead.id, key))
    .where('kind', '=', 'answer')
    .where('state', '<>', 'failed')
    .executeTakeFirst()
  if (!email) throw conflict(lead, 'This answer was undone, or did not arrive. Please send it again.')
  const sent: SentFile[] = JSON.parse(earlier.files ?? '[]')
  const isSame = earlier.text === text && sent.map(({ id }) => id).join() === [...new Set(files)].join()
  if (earlier.who !== who || !isSame || (to ?? email.recipient) !== email.recipient)
    throw new Problem(
      'idempotency_conflict',
      'This answer was already sent with a different text or address, or with other files.',
    )
  // It may have been saved since.
  await deleteDraft(transaction, lead.id, who, [text])
  return {
    state: lead.state,
    version: lead.version,
    key,
    sendsAt: sendsAt(new Date(earlier.at)).toISOString(),
  }
}

const sendsAt = (at: Date) => new Date(at.getTime() + UNDO_SECONDS * 1000)

/** The event of this lead with this key, such as an answer or its undo. */
export const findByKey = (transaction: Database, { id }: StoredLead, key: string) =>
  transaction
    .selectFrom('lead_events')
    .selectAll()
    .where((event) => event.and({ lead_id: id, key }))
    .executeTakeFirst()

// Mail programs need only the last ones.
const MAX_REFERENCES = 20

/**
 * The Message-IDs of what was said so far to and from an address: the receipt, if it was sent
 * before the first answer, the answers, and the emails that were read from the mailbox. What others
 * have got or written is not for this person's eyes.
 */
async function readConversation(db: Database, { id }: StoredLead, to: string): Promise<string[]> {
  const address = to.toLowerCase()
  const emails = db.selectFrom('outbox').select(['queued_at as at', 'message_id as messageId', 'content'])
  const ofKind = (kind: EmailKind) =>
    emails
      .where((email) => email.and({ lead_id: id, kind }))
      .where(sql`lower(recipient)`, '=', address)
      .orderBy('id')
  const answers = await ofKind('answer').where('state', '<>', 'failed').execute()
  const [first] = answers
  const receipts = first ? [] : await ofKind('visitor_receipt').where('state', '=', 'sent').execute()
  const before: string[] = first ? JSON.parse(String(first.content)).references : []
  const received = await readReceived(db, id, address)
  const later = [...answers, ...received].toSorted((a, b) => a.at.localeCompare(b.at))
  const all = [...new Set([...before, ...[...receipts, ...later].map(({ messageId }) => messageId)])]
  // The first one says which conversation it is.
  return all.filter((_id, index) => index === 0 || index > all.length - MAX_REFERENCES)
}

/** The newest emails from the mailbox that this address has sent or got, with their Message-IDs. */
async function readReceived(db: Database, leadId: string, address: string) {
  const rows = await db
    .selectFrom('lead_events')
    .select(['at', 'who', 'what', 'received'])
    .where('lead_id', '=', leadId)
    .where('received', 'is not', null)
    .where(({ or, eb }) => or([eb('who', '=', address), eb('what', '=', 'answered_by_mail')]))
    .orderBy('id', 'desc')
    .limit(MAX_REFERENCES)
    .execute()
  return rows.toReversed().flatMap(({ at, who, received }) => {
    // Earlier versions didn't store who got an owner's email.
    const { messageId, to = [] }: StoredMessage = JSON.parse(String(received))
    return who === address || to.includes(address) ? [{ at, messageId }] : []
  })
}

/**
 * Stores a corrected address, so that later emails and searches use it, and records the change in
 * the history.
 */
async function correctAddress(
  transaction: Database,
  lead: StoredLead,
  to: string,
  by: { at: Date; who: string },
) {
  const { id: lead_id, email } = lead
  await transaction.updateTable('leads').set({ email: to }).where('id', '=', lead_id).execute()
  await updateSearchText(transaction, lead_id)
  const event = { what: 'address', from_value: email, to_value: to } as const
  await addEvent(transaction, { ...event, lead_id, at: by.at.toISOString(), who: by.who })
}

/**
 * Matches both emails of an answer: the visitor's, and the owner's copy. Ignores the domain of
 * their Message-IDs, because it comes from MAIL_FROM, which can change.
 */
export const emailsOf = (leadId: string, key: string) =>
  sql<boolean>`lead_id = ${leadId} and kind in ('answer', 'answer_copy') and message_id like ${`<${key}.%`}`
