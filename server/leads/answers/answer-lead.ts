import { sql } from 'kysely'
import type * as z from 'zod/mini'
import { UNDO_SECONDS } from '#shared/inbox/lead.ts'
import type { answerQueued, answerUndone } from '#shared/inbox/lead-changes.ts'
import { placeholdersIn } from '#shared/inbox/saved-replies.ts'
import type { Context } from '../../context.ts'
import type { Database, EmailKind, SentFile, StoredMessage } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { domainOf, enqueue } from '../../outbox/email.ts'
import {
  addEvent,
  applyDecision,
  type Change,
  type ChangeDeps,
  conflict,
  type LeadEventRow,
  lastChange,
  lockLead,
  requireNotSpam,
  requireVersion,
  type StoredLead,
  type Undoable,
} from '../change/change-lead.ts'
import { columnsAfterEmail } from '../change/mark-lead.ts'
import { hasWrittenFrom } from '../search/senders.ts'
import { updateSearchText } from '../search/written-text.ts'
import { deleteDraft, putDraft, readDraft } from './drafts.ts'
import { giveFilesBack, takeFiles } from './files.ts'
import { reopened } from './reopened.ts'

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
  return {
    state: lead.state,
    version: lead.version,
    key,
    sendsAt: sendsAt(new Date(earlier.at)).toISOString(),
  }
}

const sendsAt = (at: Date) => new Date(at.getTime() + UNDO_SECONDS * 1000)

const findByKey = (transaction: Database, { id }: StoredLead, key: string) =>
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
 * Undoes an answer that no worker has started to send: the text and the files become a draft again,
 * followed by whatever its author has written since. If the answer is the lead's last change, the
 * lead is restored; otherwise, it is open again, unless an owner has decided on it since. Safe to
 * repeat. Throws a Problem: `not_found` if there is no such answer, `conflict` if it is too late.
 */
export const undoAnswer = (
  { write, now }: ChangeDeps,
  { reference, who, key }: Omit<Change, 'version'> & { key: string },
): Promise<z.infer<typeof answerUndone>> =>
  lockLead(write, reference, async (transaction, lead) => {
    const answer = await findByKey(transaction, lead, key)
    if (answer?.what !== 'answer') throw new Problem('not_found', 'There is no such answer.')
    const { state, version } = lead
    const newer = await readDraft(transaction, lead.id, answer.who)
    if (await findByKey(transaction, lead, `undo ${key}`))
      return { state, version, text: newer ?? String(answer.text) }
    await withdraw(transaction, lead, key)
    await giveFilesBack(transaction, lead.id, { key, owner: answer.who, isUndone: true })
    const at = now()
    const text = newer ? `${answer.text}\n\n${newer}` : String(answer.text)
    await putDraft(transaction, { lead_id: lead.id, owner: answer.who, text, updated_at: at.toISOString() })
    const last = await lastChange(transaction, lead.id)
    const isPlan = (last?.what === 'result' || last?.what === 'follow_up') && last.to_value !== null
    // A visitor's message is no decision of an owner.
    const isDecided = (state !== 'answered' && last?.what !== 'reply') || isPlan
    const before: Partial<Undoable> = JSON.parse(answer.before ?? '{}')
    const due = before.state === 'open' && before.due_at && { due_at: before.due_at }
    const open = await reopened(transaction, lead, [answer.at])
    const later = { ...open, follow_up_at: lead.follow_up_at, ...due }
    const set = last?.id === answer.id && answer.before ? before : isDecided ? {} : later
    const event = { what: 'answer_undone', key: `undo ${key}`, before: null } as const
    const status = await applyDecision(transaction, lead, { set, event }, { at, who })
    await updateSearchText(transaction, lead.id)
    return { ...status, text }
  })

// An answer has two emails: the answer itself, and a copy for the owner. An undo deletes both or
// neither, because a copy of an answer that was never sent would confuse the owner.
const EMAILS = 2

async function withdraw(transaction: Database, lead: StoredLead, key: string): Promise<void> {
  const withdrawn = await transaction
    .deleteFrom('outbox')
    .where(emailsOf(lead.id, key))
    .where(isUndoable)
    .returning('id')
    .execute()
  // The error rolls the transaction back: if only one of the two emails was deleted, it is
  // restored.
  if (withdrawn.length !== EMAILS)
    throw conflict(lead, 'It is too late: this answer is being sent, or has been sent.')
}

/**
 * An SQL condition for `outbox` rows of kind `answer` or `answer_copy`. It is true until an email
 * worker first claims the row to send it. A claim changes all of these columns except `queued_at`,
 * and releasing it doesn't restore `due_at`.
 */
const isUndoable = sql<boolean>`state = 'queued' and attempts = 0 and due_at = queued_at`

/**
 * Matches both emails of an answer: the visitor's, and the owner's copy. Ignores the domain of
 * their Message-IDs, because it comes from MAIL_FROM, which can change.
 */
const emailsOf = (leadId: string, key: string) =>
  sql<boolean>`lead_id = ${leadId} and kind in ('answer', 'answer_copy') and message_id like ${`<${key}.%`}`
