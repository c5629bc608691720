import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LeadPage, PAGE_SIZE } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { readReference } from '../../leads/reference.ts'
import { hasTerms, isAlike, mayHaveNameLike, possibleNames, searchTerms } from '../../leads/search-terms.ts'
import { addFound } from './found-text.ts'
import { draftColumns, outboxColumns, type Position, toPage } from './lists.ts'

// How many leads one query looks through. On SQLite, that takes about 3 ms, during which the server does nothing else.
const STEP = 5_000
// The cursors of the two parts of a search. Every id is lower than `~`.
const [EXACT, ALIKE] = [
  ['exact', '~'],
  ['alike', '~'],
] as const

/**
 * Finds the lead with this reference or, if there is none, the leads that have every term of the search, newest first. After
 * these come the leads that have a name like a term: one letter is wrong. Each says what was found.
 */
export async function searchLeads(
  db: Database,
  {
    search,
    after = EXACT,
    owner,
    now,
  }: { search: string; after?: Position | undefined; owner?: string; now?: Date },
): Promise<LeadPage> {
  const leads = db
    .selectFrom('leads')
    .selectAll('leads')
    .select([...outboxColumns, ...draftColumns(owner, now)])
  const named = await leads.where('reference', '=', readReference(search) ?? '').execute()
  if (named.length > 0) return toPage(named, ({ id }) => ['', id])
  const terms = searchTerms(search)
  const [part, before] = after
  const size = PAGE_SIZE + 1
  const exact = part === ALIKE[0] ? [] : await findExact(db, terms, before, size)
  const start = part === ALIKE[0] ? before : ALIKE[1]
  const alike = await findAlike(db, terms, start, size - exact.length)
  const ids = [...exact, ...alike]
  const rows = ids.length > 0 ? await leads.where('id', 'in', ids).execute() : []
  const found = new Map(rows.map((row) => [row.id, row]))
  const inOrder = ids.flatMap((id) => found.get(id) ?? [])
  const page = toPage(inOrder, ({ id }) => [(alike.includes(id) ? ALIKE : EXACT)[0], id])
  return addFound(db, page, inOrder, terms, new Set(alike))
}

/** The leads of one step: ids from `start`, but below `end`. */
type Step = { start: string; end: string }

/** Goes through all leads, newest first, in steps, so that no visitor has to wait. */
async function* stepsBefore(db: Database, before: string): AsyncGenerator<Step> {
  for (let end = before; ; await nextTurn()) {
    const oldest = await db
      .selectFrom('leads')
      .select('id')
      .where('id', '<', end)
      .orderBy('id', 'desc')
      .offset(STEP - 1)
      .limit(1)
      .executeTakeFirst()
    yield { start: oldest?.id ?? '', end }
    if (!oldest) return
    end = oldest.id
  }
}

const textsOf = (db: Database, { start, end }: Step) =>
  db.selectFrom('lead_texts').where('lead_id', '<', end).where('lead_id', '>=', start)

/** The ids of the newest leads that have all terms. */
async function findExact(
  db: Database,
  terms: readonly string[],
  before: string,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  if (terms.length === 0) return ids
  for await (const step of stepsBefore(db, before)) {
    const query = textsOf(db, step).select('lead_id').where(hasTerms(terms)).orderBy('lead_id', 'desc')
    const found = await query.limit(limit - ids.length).execute()
    ids.push(...found.map(({ lead_id }) => lead_id))
    if (ids.length === limit) break
  }
  return ids
}

/** The ids of the newest leads that have all terms only if names that are like a term count, too. */
async function findAlike(
  db: Database,
  terms: readonly string[],
  before: string,
  limit: number,
): Promise<string[]> {
  const ids: string[] = []
  const names = possibleNames(terms)
  if (names.length === 0 || limit === 0) return ids
  for await (const step of stepsBefore(db, before)) {
    const query = textsOf(db, step).select(['lead_id', 'names'])
    const rows = await query.where(({ or }) => or(names.map(mayHaveNameLike))).execute()
    const alike = new Map(names.map((term) => [term, new Set<string>()]))
    const candidates = rows.filter((row) => {
      const words = row.names.trim().split(' ')
      const isFor = (term: string) => words.filter((word) => isAlike(word, term))
      const hits = [...alike].map(([term, found]) => isFor(term).map((word) => found.add(word)).length)
      return Math.max(...hits) > 0
    })
    if (candidates.length === 0) continue
    const found = await db
      .selectFrom('lead_texts')
      .select('lead_id')
      .where(
        'lead_id',
        'in',
        candidates.map(({ lead_id }) => lead_id),
      )
      .where(hasTerms(terms, alike))
      .where(({ not }) => not(hasTerms(terms)))
      .orderBy('lead_id', 'desc')
      .limit(limit - ids.length)
      .execute()
    ids.push(...found.map(({ lead_id }) => lead_id))
    if (ids.length === limit) break
  }
  return ids
}
