import type { LeadStatus } from '#shared/inbox/lead-changes.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { type Change, type ChangeDeps, requireVersion, withLead } from '../change/change-lead.ts'

/**
 * Stores an owner's unfinished answer; empty text deletes it. Throws a Problem: `conflict` if
 * `version` is old. Otherwise, a delayed request could store a draft again that has already been
 * sent as the answer. If the owner is still writing, the page can try again with the current
 * version. Also throws `conflict` if the stored draft is not `base`, the one that the page saw
 * last: then another device has written it, and it must not be overwritten.
 */
export const saveDraft = (
  deps: ChangeDeps,
  { reference, who, text, base, version }: Change & { text: string; base: string | null },
): Promise<LeadStatus> =>
  withLead(deps, reference, async (transaction, lead, now) => {
    requireVersion(lead, version)
    const stored = await readDraft(transaction, lead.id, who)
    if (stored !== null && stored !== base && stored !== text)
      throw new Problem('conflict', 'You have written something else on another device.', {
        current: { state: lead.state, version },
        draft: stored,
      })
    if (text.trim() === '') await deleteDraft(transaction, lead.id, who, [stored])
    else await putDraft(transaction, { lead_id: lead.id, owner: who, text, updated_at: now.toISOString() })
  })

/** Stores a draft, in place of an earlier one of the same owner. */
export const putDraft = (db: Database, draft: Schema['lead_drafts']) =>
  db
    .insertInto('lead_drafts')
    .values(draft)
    .onConflict((conflict) =>
      conflict.columns(['lead_id', 'owner']).doUpdateSet({ text: draft.text, updated_at: draft.updated_at }),
    )
    .execute()

/** The text of an owner's unfinished answer to a lead; null if there is none. */
export async function readDraft(db: Database, leadId: string, owner: string): Promise<string | null> {
  const draft = await db
    .selectFrom('lead_drafts')
    .select('text')
    .where((row) => row.and({ lead_id: leadId, owner }))
    .executeTakeFirst()
  return draft?.text ?? null
}

/**
 * Deletes a draft if it has one of these texts. Otherwise, the owner has written it on another
 * device.
 */
export const deleteDraft = (db: Database, leadId: string, owner: string, texts: (string | null)[]) =>
  db
    .deleteFrom('lead_drafts')
    .where((row) => row.and({ lead_id: leadId, owner }))
    .where('text', 'in', texts)
    .execute()
