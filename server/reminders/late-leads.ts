import type { Database } from '../database/schema.ts'
import { countUpTo } from '../inbox/reads/count-up-to.ts'
import { waitingLeads } from '../inbox/reads/waiting-leads.ts'
import { type Lead, toLead } from '../leads/lead-store.ts'

// Enough to read in an email; the inbox shows them all.
const MAX_LISTED = 30
export const MAX_COUNTED_LATE = 999

/** `count` is exact up to `MAX_COUNTED_LATE`. `listed` has only the most urgent ones. */
export type LateLeads = { count: number; listed: Lead[] }

/** The leads whose promised reply was already late at this time and that still wait for it. */
export async function readLateLeads(db: Database, at: Date): Promise<LateLeads> {
  const late: LateLeads = { count: 0, listed: [] }
  for (const leads of waitingLeads(db, at, { before: at.toISOString() })) {
    late.count += await countUpTo(db, MAX_COUNTED_LATE + 1, leads)
    const rows = await leads
      .selectAll()
      .orderBy('sort_key')
      .orderBy('id')
      .limit(MAX_LISTED - late.listed.length)
      .execute()
    late.listed.push(...rows.map(toLead))
  }
  return late
}
