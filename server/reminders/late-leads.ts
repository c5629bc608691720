import type { Database } from '../database/schema.ts'
import { countLate } from '../inbox/reads/figures.ts'
import { lateLeads } from '../inbox/reads/lists.ts'
import { type Lead, toLead } from '../leads/lead-store.ts'

// A longer list would be too much to read in an email. The inbox shows all late leads.
const MAX_LISTED = 30

/** `count` is the number of all late leads, as in the inbox. `listed` has only the most urgent ones. */
export type LateLeads = { count: number; listed: Lead[] }

/** The leads that are still waiting for a reply that was due before `at`. */
export async function readLateLeads(db: Database, at: Date): Promise<LateLeads> {
  const late = lateLeads(db, at).selectAll().orderBy('sort_key').orderBy('id').limit(MAX_LISTED)
  const listed = await late.execute()
  return { count: await countLate(db, at), listed: listed.map(toLead) }
}
