import type * as z from 'zod/mini'
import type { answerUndone } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import { emailsOf, isUndoable, type QueuedAnswer } from './answer-content.ts'
import { applyDecision, type Change, type ChangeDeps } from './change-lead.ts'
import { conflict } from './conflict.ts'
import { findByKey } from './lead-events.ts'
import { lockLead, type StoredLead } from './lock-lead.ts'
import { putDraft, readDraft } from './save-draft.ts'

type AnswerUndone = z.infer<typeof answerUndone>
type Undo = Omit<Change, 'version'> & { key: string }

// Both emails or neither: a copy of an answer that was never sent would confuse the owner.
const EMAILS = 2

/**
 * Undoes an answer that no worker has started to send: the text is a draft again, followed by what its owner has
 * written since, and the lead is restored. Can be repeated safely. Throws a Problem: `conflict` if it is too late.
 */
export const undoAnswer = (
  { write, now }: ChangeDeps,
  { reference, who, key }: Undo,
): Promise<AnswerUndone> =>
  write(async (transaction) => {
    const lead = await lockLead(transaction, reference)
    const answer = await findByKey(transaction, key)
    if (answer?.lead_id !== lead.id || answer.text === null)
      throw new Problem('not_found', 'There is no such answer.')
    const { state, version } = lead
    const newer = await readDraft(transaction, lead.id, answer.who)
    if (await findByKey(transaction, `undo ${key}`)) return { state, version, text: newer ?? answer.text }
    const queued = await withdraw(transaction, lead, key)
    const at = now()
    const text = newer ? `${queued.text}\n\n${newer}` : queued.text
    await putDraft(transaction, { lead_id: lead.id, owner: answer.who, text, updated_at: at.toISOString() })
    const set = restored(lead, queued)
    const undone = {
      what: 'answer_undone',
      from_value: lead.state,
      to_value: set.state,
      key: `undo ${key}`,
    } as const
    const status = await applyDecision(transaction, lead, { set, events: [undone] }, { at, who })
    return { ...status, text }
  })

async function withdraw(transaction: Database, lead: StoredLead, key: string): Promise<QueuedAnswer> {
  const withdrawn = await transaction
    .deleteFrom('outbox')
    .where(emailsOf(lead.id, key))
    .where(isUndoable)
    .returning(['kind', 'content'])
    .execute()
  const content = withdrawn.find(({ kind }) => kind === 'answer')?.content
  if (withdrawn.length === EMAILS && content) return JSON.parse(content)
  // Throwing rolls back if only one of them was deleted.
  const remaining = await transaction
    .selectFrom('outbox')
    .select('state')
    .where(emailsOf(lead.id, key))
    .where('kind', '=', 'answer')
    .executeTakeFirst()
  throw conflict(
    lead,
    remaining?.state === 'sent' ? 'It has already been sent.' : 'It is too late: it is already being sent.',
  )
}

/** The columns to restore, except those that somebody changed after the answer. */
function restored(lead: StoredLead, { before, at }: QueuedAnswer) {
  const { version: _, ...all } = before
  if (lead.version === before.version + 1) return all
  return {
    state: lead.state === 'answered' ? before.state : lead.state,
    ...(lead.answered_at === at && { answered_at: before.answered_at }),
  }
}
