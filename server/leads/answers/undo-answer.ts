import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { answerUndone } from '#shared/inbox/lead-changes.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import {
  applyDecision,
  type Change,
  type ChangeDeps,
  conflict,
  lastChange,
  lockLead,
  type StoredLead,
  type Undoable,
} from '../change/change-lead.ts'
import { updateSearchText } from '../search/written-text.ts'
import { emailsOf, findByKey } from './answer-lead.ts'
import { putDraft, readDraft } from './drafts.ts'
import { giveFilesBack } from './files.ts'
import { reopened } from './reopened.ts'

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
