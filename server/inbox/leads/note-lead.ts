import type { LeadStatus } from '#shared/inbox/lead.ts'
import { Problem } from '../../problem.ts'
import { type Change, type ChangeDeps, lockLead } from './change-lead.ts'

type NoteKey = Omit<Change, 'version'> & { key: string }

/**
 * Adds a note, but only once per key. It neither checks nor increases the lead's version, because a note never conflicts
 * with other changes.
 */
export const noteLead = (
  { write, now }: ChangeDeps,
  { reference, who, text, key }: NoteKey & { text: string },
): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version } = await lockLead(transaction, reference)
    await transaction
      .insertInto('lead_events')
      .values({ lead_id: id, at: now().toISOString(), who, what: 'note', text, key })
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute()
    return { state, version }
  })

/** Deletes a note. Throws a Problem: `not_found` if this owner did not write the note, or it is already deleted. */
export const undoNote = ({ write }: ChangeDeps, { reference, who, key }: NoteKey): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version } = await lockLead(transaction, reference)
    const { numDeletedRows } = await transaction
      .deleteFrom('lead_events')
      .where((event) => event.and({ lead_id: id, who, key, what: 'note' }))
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new Problem('not_found', 'There is no such note.')
    return { state, version }
  })
