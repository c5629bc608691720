import type { LeadStatus } from '#shared/inbox/lead.ts'
import type { Change, ChangeDeps } from './change-lead.ts'
import { addEvent } from './lead-events.ts'
import { lockLead } from './lock-lead.ts'

/** Adds a note. It neither checks nor increases the lead's version, because a note never conflicts with anything. */
export const noteLead = (
  { write, now }: ChangeDeps,
  { reference, who, text }: Omit<Change, 'version'> & { text: string },
): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version } = await lockLead(transaction, reference)
    await addEvent(transaction, { lead_id: id, at: now().toISOString(), who, what: 'note', text })
    return { state, version }
  })
