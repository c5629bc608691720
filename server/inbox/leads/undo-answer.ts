import { sql } from 'kysely'
import type * as z from 'zod/mini'
import type { answerUndone } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import { columnsAnswered, emailsOf, isUndoable } from './answer-lead.ts'
import {
  applyDecision,
  type Change,
  type ChangeDeps,
  conflict,
  findByKey,
  type LeadEventRow,
  lockLead,
  type StoredLead,
  snapshot,
  sortKey,
  type Undoable,
} from './change-lead.ts'
import { putDraft, readDraft } from './save-draft.ts'

type AnswerUndone = z.infer<typeof answerUndone>
type Undo = Omit<Change, 'version'> & { key: string }

// An answer has two emails: the answer itself, and a copy for the owner. An undo deletes both or neither, because a copy of
// an answer that was never sent would confuse the owner.
const EMAILS = 2

/**
 * Undoes an answer that no worker has started to send: the text becomes a draft again, followed by whatever its author has
 * written since, and the lead is restored. Safe to repeat. Throws a Problem: `not_found` if there is no such answer,
 * `conflict` if it is too late.
 */
export const undoAnswer = (
  { write, now }: ChangeDeps,
  { reference, who, key }: Undo,
): Promise<AnswerUndone> =>
  write(async (transaction) => {
    const lead = await lockLead(transaction, reference)
    const answer = await findByKey(transaction, key)
    if (answer?.lead_id !== lead.id || answer.what !== 'answer')
      throw new Problem('not_found', 'There is no such answer.')
    const { state, version } = lead
    const newer = await readDraft(transaction, lead.id, answer.who)
    if (await findByKey(transaction, `undo ${key}`))
      return { state, version, text: newer ?? String(answer.text) }
    await withdraw(transaction, lead, key)
    const at = now()
    const text = newer ? `${answer.text}\n\n${newer}` : String(answer.text)
    await putDraft(transaction, { lead_id: lead.id, owner: answer.who, text, updated_at: at.toISOString() })
    const set: Partial<Undoable> = await restored(transaction, lead, answer)
    const undone = {
      what: 'answer_undone',
      from_value: lead.state,
      to_value: set.state ?? lead.state,
      key: `undo ${key}`,
      before: null,
    } as const
    const status = await applyDecision(transaction, lead, { set, event: undone }, { at, who })
    return { ...status, text }
  })

async function withdraw(transaction: Database, lead: StoredLead, key: string): Promise<void> {
  const withdrawn = await transaction
    .deleteFrom('outbox')
    .where(emailsOf(lead.id, key))
    .where(isUndoable)
    .returning('id')
    .execute()
  if (withdrawn.length === EMAILS) return
  // The error rolls the transaction back: if only one of the two emails was deleted, it is restored.
  const remaining = await transaction
    .selectFrom('outbox')
    .select('state')
    .where(emailsOf(lead.id, key))
    .where('kind', '=', 'answer')
    .executeTakeFirst()
  throw conflict(
    lead,
    remaining?.state === 'sent' || remaining?.state === 'file'
      ? 'This answer has already been sent.'
      : 'It is too late: this answer is already being sent.',
  )
}

/**
 * The columns to restore. If there is a later answer that has not failed, the lead stays answered until that answer is
 * undone, too.
 */
async function restored(transaction: Database, lead: StoredLead, answer: LeadEventRow) {
  const later = await transaction
    .selectFrom('lead_events')
    .select(['id', 'at', 'before'])
    .where('lead_id', '=', lead.id)
    .where('what', '=', 'answer')
    .where('id', '>', answer.id)
    .where(
      sql<boolean>`exists (select 1 from outbox where outbox.lead_id = ${lead.id} and kind = 'answer'
        and state <> 'failed' and message_id like '<' || lead_events.key || '.%')`,
    )
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!later) return takeBack(answer, lead)
  const current = { ...lead, ...JSON.parse(String(later.before)) }
  const before = snapshot({ ...current, ...takeBack(answer, current) })
  await transaction.updateTable('lead_events').set({ before }).where('id', '=', later.id).execute()
  return { sort_key: lead.sort_key, ...(lead.answered_at === answer.at && { answered_at: later.at }) }
}

/** The columns as they were before the answer, except columns that somebody has changed since. */
function takeBack({ at, before }: LeadEventRow, lead: StoredLead): Partial<Undoable> {
  const old: Undoable = JSON.parse(String(before))
  const answered = columnsAnswered({ ...lead, ...old }, new Date(at))
  if (snapshot(lead) === snapshot({ ...old, ...answered, sort_key: at })) return old
  const state = lead.state === 'answered' ? old.state : lead.state
  return {
    state,
    sort_key: state === lead.state ? lead.sort_key : sortKey({ ...lead, state }, at),
    ...(lead.answered_at === at && { answered_at: old.answered_at }),
  }
}
