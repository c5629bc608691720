import type { LeadStatus } from '#shared/inbox/lead.ts'
import { type Change, type ChangeDeps, changeLead, type Undoable } from './change-lead.ts'
import { conflict } from './conflict.ts'
import { lastChange } from './lead-events.ts'

/**
 * Undoes the latest change to a lead, unless it is an answer (see `undoAnswer`). Throws a Problem: `conflict` if there is
 * nothing to undo, or if the lead has changed since the version that the owner saw.
 */
export const undoChange = (deps: ChangeDeps, change: Change): Promise<LeadStatus> =>
  changeLead(deps, change, async (lead, _at, transaction) => {
    const last = await lastChange(transaction, lead.id)
    if (!last?.before || last.what === 'answer') throw conflict(lead, 'There is nothing to undo.')
    const set: Undoable = JSON.parse(last.before)
    return { set, event: { what: 'undone', from_value: lead.state, to_value: set.state, before: null } }
  })
