import type { LeadStatus } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import type { Change, ChangeDeps } from './change-lead.ts'
import { addEvent, type NewLeadEvent } from './lead-events.ts'
import { lockLead } from './lock-lead.ts'

// Long enough for a second try after a lost response.
const REPEATED_MS = 10 * 60 * 1000

/**
 * Adds a note, unless the same owner has just added the same one. It neither checks nor increases the lead's version,
 * because a note never conflicts with anything.
 */
export const noteLead = (
  { write, now }: ChangeDeps,
  { reference, who, text }: Omit<Change, 'version'> & { text: string },
): Promise<LeadStatus> =>
  write(async (transaction) => {
    const { id, state, version } = await lockLead(transaction, reference)
    const note = { lead_id: id, who, what: 'note', text } as const
    const at = now()
    if (!(await isRepeated(transaction, note, at)))
      await addEvent(transaction, { ...note, at: at.toISOString() })
    return { state, version }
  })

async function isRepeated(db: Database, note: Omit<NewLeadEvent, 'at'>, at: Date): Promise<boolean> {
  const earlier = await db
    .selectFrom('lead_events')
    .select('id')
    .where((event) => event.and(note))
    .where('at', '>', new Date(at.getTime() - REPEATED_MS).toISOString())
    .where('at', '<=', at.toISOString())
    .limit(1)
    .executeTakeFirst()
  return earlier !== undefined
}
