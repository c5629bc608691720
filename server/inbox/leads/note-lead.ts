import type { LeadStatus } from '#shared/inbox/lead.ts'
import { Problem } from '../../problem.ts'
import { addEvent, type Change, type ChangeDeps, conflict, findByKey, lockLead } from './change-lead.ts'

type NoteKey = Omit<Change, 'version'> & { key: string }

/**
 * Adds a note, but only once per key. It neither checks nor increases the lead's version, because a note never conflicts
 * with other changes. Throws a Problem: `idempotency_conflict` if the key was used for something else, `conflict` if it is
 * the key of an undone note.
 */
export const noteLead = (
  { write, now }: ChangeDeps,
  { reference, who, text, key }: NoteKey & { text: string },
): Promise<LeadStatus> =>
  write(async (transaction) => {
    const lead = await lockLead(transaction, reference)
    const { id, state, version } = lead
    const earlier = await findByKey(transaction, key)
    if (!earlier)
      await addEvent(transaction, { lead_id: id, at: now().toISOString(), who, what: 'note', text, key })
    else if (earlier.what === 'note_undone')
      throw conflict(lead, 'This note was undone. Please save it again.')
    else if (earlier.lead_id !== id || earlier.who !== who || earlier.text !== text)
      throw new Problem('idempotency_conflict', 'This note was already stored with a different text.')
    return { state, version }
  })

/**
 * Deletes a note. The undo event gets the note's key, so that the note doesn't come back if the network delivers it again.
 * Safe to repeat. Throws a Problem: `not_found` if this owner did not write the note.
 */
export const undoNote = ({ write, now }: ChangeDeps, { reference, who, key }: NoteKey): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version } = await lockLead(transaction, reference)
    const { numDeletedRows } = await transaction
      .deleteFrom('lead_events')
      .where((event) => event.and({ lead_id: id, who, key }))
      .where('what', 'in', ['note', 'note_undone'])
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new Problem('not_found', 'There is no such note.')
    await addEvent(transaction, { lead_id: id, at: now().toISOString(), who, what: 'note_undone', key })
    return { state, version }
  })
