import type { LeadStatus } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'
import { type Change, type ChangeDeps, changedMeanwhile, lockLead } from './change-lead.ts'

/**
 * Stores an owner's unfinished answer; empty text deletes it. Throws a Problem: `conflict` if `version` is old. Otherwise, a
 * delayed request could store a draft again that has already been sent as the answer. If the owner is still writing, the page
 * can try again with the current version. Also throws `conflict` if the stored draft is not `base`, the one that the page saw
 * last: then another device has written it, and it must not be overwritten.
 */
export const saveDraft = (
  { write, now }: ChangeDeps,
  { reference, who, text, base, ...draft }: Change & { text: string; base: string | null },
): Promise<LeadStatus> =>
  write(async (transaction) => {
    const lead = await lockLead(transaction, reference)
    const { id, state, version } = lead
    if (version !== draft.version) throw await changedMeanwhile(transaction, lead, who)
    const stored = await readDraft(transaction, id, who)
    if (stored !== null && stored !== base && stored !== text)
      throw new Problem('conflict', 'You have written something else on another device.', {
        current: { state, version },
        draft: stored,
      })
    if (text.trim() === '') await deleteDraft(transaction, id, who)
    else await putDraft(transaction, { lead_id: id, owner: who, text, updated_at: now().toISOString() })
    return { state, version }
  })

export const putDraft = (
  db: Database,
  draft: { lead_id: string; owner: string; text: string; updated_at: string },
) =>
  db
    .insertInto('lead_drafts')
    .values(draft)
    .onConflict((conflict) =>
      conflict.columns(['lead_id', 'owner']).doUpdateSet({ text: draft.text, updated_at: draft.updated_at }),
    )
    .execute()

export async function readDraft(db: Database, leadId: string, owner: string): Promise<string | null> {
  const draft = await db
    .selectFrom('lead_drafts')
    .select('text')
    .where('lead_id', '=', leadId)
    .where('owner', '=', owner)
    .executeTakeFirst()
  return draft?.text ?? null
}

/**
 * Deletes the draft of a sent answer if it is the one that the page has seen, or has the answer's text. Otherwise, the
 * owner has written it on another device, so it is kept and returned.
 */
export async function endDraft(
  transaction: Database,
  leadId: string,
  { who, text, base }: { who: string; text: string; base: string | null },
): Promise<string | null> {
  const stored = await readDraft(transaction, leadId, who)
  if (stored !== base && stored?.trim() !== text) return stored
  await deleteDraft(transaction, leadId, who)
  return null
}

const deleteDraft = (db: Database, leadId: string, owner: string) =>
  db.deleteFrom('lead_drafts').where('lead_id', '=', leadId).where('owner', '=', owner).execute()
