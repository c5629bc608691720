import type { LeadStatus } from '#shared/inbox/lead.ts'
import type { Write } from '../../database/group-commit.ts'
import type { Database } from '../../database/schema.ts'
import { changedMeanwhile } from './conflict.ts'
import { addEvent, type NewLeadEvent } from './lead-events.ts'
import { lockLead, type StoredLead } from './lock-lead.ts'
import { sortKey } from './sort-key.ts'

export type ChangeDeps = { write: Write; now: () => Date }
/** A change by `who` (an owner's address, or `shell`), based on a version of the lead. */
export type Change = { reference: string; version: number; who: string }

// The columns that a change may set, and that undoing the change restores.
const columns = ['state', 'verdict', 'follow_up_on', 'trouble', 'answered_at', 'sort_key'] as const
export type Undoable = Pick<StoredLead, (typeof columns)[number]>

/** Those columns of a lead as JSON. Stored with a change, so that undo can restore them. */
export const snapshot = (lead: Undoable): string => JSON.stringify(lead, [...columns])

export type Decision = {
  set: Partial<Undoable>
  /** The history entry. It gets a snapshot of the lead, unless `before` is null: then the change cannot be undone. */
  event: Omit<NewLeadEvent, 'lead_id' | 'at' | 'who'> & { before?: null }
}
/** Decides what to change, or throws a Problem to reject the change. */
type Decide = (lead: StoredLead, at: Date, transaction: Database) => Decision | Promise<Decision>

/**
 * Changes a lead in one transaction. If two owners change it at the same time, one succeeds and the other gets a
 * `conflict` with the current state.
 */
export const changeLead = (deps: ChangeDeps, change: Change, decide: Decide): Promise<LeadStatus> =>
  deps.write(async (transaction) => {
    const lead = await lockLead(transaction, change.reference)
    if (lead.version !== change.version) throw await changedMeanwhile(transaction, lead, change.who)
    const at = deps.now()
    const decision = await decide(lead, at, transaction)
    return applyDecision(transaction, lead, decision, { at, who: change.who })
  })

/** Stores a decision and its history entry. Throws a `conflict` if the lead has changed since it was read. */
export async function applyDecision(
  transaction: Database,
  lead: StoredLead,
  { set, event }: Decision,
  { at, who }: { at: Date; who: string },
): Promise<LeadStatus> {
  const time = at.toISOString()
  const version = lead.version + 1
  const { numUpdatedRows } = await transaction
    .updateTable('leads')
    .set({ sort_key: sortKey({ ...lead, ...set }, time), ...set, version })
    .where('id', '=', lead.id)
    .where('version', '=', lead.version)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n)
    throw await changedMeanwhile(transaction, await lockLead(transaction, lead.reference), who)
  await addEvent(transaction, { before: snapshot(lead), ...event, lead_id: lead.id, at: time, who })
  return { state: set.state ?? lead.state, version }
}
