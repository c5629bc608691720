import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LeadPage, PAGE_SIZE } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { readReference } from '../../leads/reference.ts'
import { hasTerms, searchTerms } from '../../leads/search-terms.ts'
import { rowColumns, toLeadRow } from './lead-row.ts'
import { toCursor } from './lists.ts'

// How many leads one query looks through. On SQLite, that takes about 3 ms, during which the server does nothing else.
const STEP = 5_000
// Sorts after every id.
const NEWEST = '~'

/** `before`: only leads with lower ids, which are older. */
type Input = { search: string; before?: string | undefined }

/** Finds the lead with this reference or, if there is none, the leads that have every term of the search, newest first. */
export async function searchLeads(db: Database, { search, before = NEWEST }: Input): Promise<LeadPage> {
  const leads = db.selectFrom('leads').select(rowColumns)
  const exact = await leads.where('reference', '=', readReference(search) ?? '').executeTakeFirst()
  if (exact) return { leads: [toLeadRow(exact)], next: null }
  // Find one more lead, to know whether there is a next page.
  const ids = await findIds(db, searchTerms(search), before, PAGE_SIZE + 1)
  const page = ids.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  const rows = last === undefined ? [] : await leads.where('id', 'in', page).orderBy('id', 'desc').execute()
  return {
    leads: rows.map(toLeadRow),
    next: last !== undefined && ids.length > PAGE_SIZE ? toCursor(['', last]) : null,
  }
}

/** The ids of the newest leads that have all terms. Looks through the leads in steps, so that no visitor has to wait. */
async function findIds(
  db: Database,
  terms: readonly string[],
  before: string,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let end = before; terms.length > 0; await nextTurn()) {
    // The oldest lead of this step; undefined if it's the last one.
    const start = await db
      .selectFrom('leads')
      .select('id')
      .where('id', '<', end)
      .orderBy('id', 'desc')
      .offset(STEP - 1)
      .limit(1)
      .executeTakeFirst()
    const found = await db
      .selectFrom('lead_texts')
      .select('lead_id')
      .where('lead_id', '<', end)
      .where('lead_id', '>=', start?.id ?? '')
      .where(hasTerms(terms))
      .orderBy('lead_id', 'desc')
      .limit(limit - ids.length)
      .execute()
    ids.push(...found.map(({ lead_id }) => lead_id))
    if (start === undefined || ids.length === limit) break
    end = start.id
  }
  return ids
}
