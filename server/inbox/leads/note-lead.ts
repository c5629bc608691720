import type { LeadStatus } from '#shared/inbox/lead.ts'
import { Problem } from '../../problem.ts'
import type { Change, ChangeDeps } from './change-lead.ts'
import { addEvent, findByKey } from './lead-events.ts'
import { lockLead } from './lock-lead.ts'

type NoteKey = Omit<Change, 'version'> & { key: string }

/**
 * Adds a note, once for each key. It neither checks nor increases the lead's version, because a note never conflicts with
 * anything. Throws a Problem: `idempotency_conflict` for a used key.
 */
export const noteLead = (
  { write, now }: ChangeDeps,
  { reference, who, text, key }: NoteKey & { text: string },
): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version } = await lockLead(transaction, reference)
    const earlier = await findByKey(transaction, key)
    if (!earlier)
      await addEvent(transaction, { lead_id: id, at: now().toISOString(), who, what: 'note', text, key })
    else if (earlier.lead_id !== id || earlier.who !== who || earlier.text !== text)
      throw new Problem('idempotency_conflict', 'This note was already stored with a different text.')
    return { state, version }
  })

/** Deletes a note again. Throws a Problem: `not_found` if this owner has not written it. */
export const undoNote = ({ write }: ChangeDeps, { reference, who, key }: NoteKey): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version } = await lockLead(transaction, reference)
    const { numDeletedRows } = await transaction
      .deleteFrom('lead_events')
      .where((event) => event.and({ lead_id: id, what: 'note', who, key }))
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new Problem('not_found', 'There is no such note.')
    return { state, version }
  })
