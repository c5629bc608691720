import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LeadPage, PAGE_SIZE } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { readReference } from '../../leads/reference.ts'
import { hasTerms, searchTerms } from '../../leads/search-text.ts'
import { rowColumns, toLeadRow } from './lead-row.ts'
import { toCursor } from './lists.ts'

// How many leads one query looks through. On SQLite, that takes about 3 ms, during which the server does nothing else.
const STEP = 5_000
// Sorts after every id.
const NEWEST = '~'

/** `before`: only leads with lower ids, which are older. */
type Input = { search: string; before?: string | undefined }

/**
 * Finds the leads that have every term of the search, newest first. If the search is the reference of a lead, that lead comes
 * first. Gives up once the signal aborts.
 */
export async function searchLeads(
  db: Database,
  { search, before = NEWEST }: Input,
  signal?: AbortSignal,
): Promise<LeadPage> {
  const exact = await findExact(db, search)
  const first = before === NEWEST && exact ? [exact] : []
  const size = PAGE_SIZE - first.length
  // Find one more lead, to know whether there is a next page.
  const ids = await findIds(db, searchTerms(search), { before, limit: size + 1 }, signal)
  const last = ids[size - 1]
  const others = (await readRows(db, ids.slice(0, size))).filter(({ id }) => id !== exact?.id)
  return {
    leads: [...first, ...others].map(toLeadRow),
    next: last !== undefined && ids.length > size ? toCursor(['', last]) : null,
  }
}

async function findExact(db: Database, search: string) {
  const reference = readReference(search)
  if (!reference) return undefined
  return db.selectFrom('leads').select(rowColumns).where('reference', '=', reference).executeTakeFirst()
}

/** The ids of the newest leads that have all terms. Looks through the leads in steps, so that no visitor has to wait. */
async function findIds(
  db: Database,
  terms: readonly string[],
  { before, limit }: { before: string; limit: number },
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const ids: string[] = []
  for (let end = before; terms.length > 0 && !signal?.aborted; await nextTurn()) {
    const start = await startOfStep(db, end)
    const found = await db
      .selectFrom('lead_texts')
      .select('lead_id')
      .where('lead_id', '<', end)
      .where('lead_id', '>=', start ?? '')
      .where(hasTerms(terms))
      .orderBy('lead_id', 'desc')
      .limit(limit - ids.length)
      .execute()
    ids.push(...found.map(({ lead_id }) => lead_id))
    if (start === undefined || ids.length === limit) break
    end = start
  }
  return ids
}

/** The id of the oldest lead of the step that ends before `end`. Undefined if it's the last step. */
async function startOfStep(db: Database, end: string): Promise<string | undefined> {
  const start = await db
    .selectFrom('leads')
    .select('id')
    .where('id', '<', end)
    .orderBy('id', 'desc')
    .offset(STEP - 1)
    .limit(1)
    .executeTakeFirst()
  return start?.id
}

async function readRows(db: Database, ids: readonly string[]) {
  if (ids.length === 0) return []
  return db.selectFrom('leads').select(rowColumns).where('id', 'in', ids).orderBy('id', 'desc').execute()
}
