import type { LeadStatus } from '#shared/inbox/lead.ts'
import type { ChangeDeps } from './change-lead.ts'
import { lockLead } from './lock-lead.ts'

/** Records when an owner first opened the lead. */
export const markSeen = ({ write, now }: ChangeDeps, reference: string): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version, seen_at } = await lockLead(transaction, reference)
    if (seen_at === null)
      await transaction
        .updateTable('leads')
        .set({ seen_at: now().toISOString() })
        .where('id', '=', id)
        .execute()
    return { state, version }
  })
