import type { LeadStatus } from '#shared/inbox/lead.ts'
import type { Change, ChangeDeps } from './change-lead.ts'
import { addEvent } from './lead-events.ts'
import { lockLead } from './lock-lead.ts'

/** Records who first opened the lead, and when. */
export const markSeen = (
  { write, now }: ChangeDeps,
  { reference, who }: Omit<Change, 'version'>,
): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version, seen_at } = await lockLead(transaction, reference)
    if (seen_at === null) {
      const at = now().toISOString()
      await transaction.updateTable('leads').set({ seen_at: at }).where('id', '=', id).execute()
      await addEvent(transaction, { lead_id: id, at, who, what: 'seen' })
    }
    return { state, version }
  })
