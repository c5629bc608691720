import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { type LeadPage, type LeadRow, type LeadView, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { addressDoubt } from '#shared/inbox/words.ts'
import { listOf } from '../../database/migrations/001-first.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { isOpenSuspect } from '../../leads/lead-store.ts'
import { nextOfficeDay } from '../../leads/office-time.ts'
import { readReference } from '../../leads/reference.ts'
import { hasTerms, searchTerms } from '../../leads/search-terms.ts'
import { answerStuckSince, hasBouncedReceipt } from '../../outbox/backlog.ts'
import { Problem } from '../../problem.ts'

/** A lead's position in a list: its sort key and its id. */
type Position = readonly [key: string, id: string]

/** One page of a view. Pages begin after a position, never at an offset, so that the last page is as fast as the first. */
export async function listLeads(
  db: Database,
  { view, after, now }: { view: LeadView; after: Position | undefined; now: Date },
): Promise<LeadPage> {
  const leads = leadsIn(db, view, now).selectAll('leads').select(outboxColumns)
  const rows = await pageOf(leads, view, after, PAGE_SIZE + 1).execute()
  return toPage(rows, (last) => [last[keyOf(view)], last.id])
}

/** A page from its rows, and one more if there is a next page. */
function toPage(rows: Row[], positionOf: (last: Row) => Position): LeadPage {
  const page = rows.slice(0, PAGE_SIZE)
  const last = rows.length > PAGE_SIZE && page.at(-1)
  return {
    leads: page.map(toLeadRow),
    // A cursor. The browser only sends it back unread, so its format may change.
    next: last ? Buffer.from(positionOf(last).join(' ')).toString('base64url') : null,
  }
}

/** The column that orders a view. */
export const keyOf = (view: LeadView): 'created_at' | 'sort_key' =>
  view === 'all' ? 'created_at' : 'sort_key'

/**
 * Selects the leads of a view. A future follow-up is in the list `open`, too, but only the view `later` shows it: its sort
 * key is "1" plus its day. The index on lists and sort keys covers both.
 */
export function leadsIn(
  db: Database,
  view: LeadView,
  now: Date,
): SelectQueryBuilder<Schema, 'leads', object> {
  const leads = db.selectFrom('leads')
  if (view === 'all') return leads
  const isFuture = sql`between ${`1${nextOfficeDay(now)}`} and '1~'`
  if (view === 'later') return leads.where(sql<boolean>`${listOf} = 'open' and sort_key ${isFuture}`)
  if (view === 'open') return leads.where(sql<boolean>`${listOf} = 'open' and sort_key not ${isFuture}`)
  return leads.where(sql<boolean>`${listOf} = ${view}`)
}

/** One page of leads, in the order of a view: open leads begin with the most urgent, all others with the newest. */
export function pageOf<Columns>(
  leads: SelectQueryBuilder<Schema, 'leads', Columns>,
  view: LeadView,
  after: Position | undefined,
  size: number,
): SelectQueryBuilder<Schema, 'leads', Columns> {
  const key = keyOf(view)
  const isUrgentFirst = view === 'open' || view === 'later'
  const page = leads
    .orderBy(key, isUrgentFirst ? 'asc' : 'desc')
    .orderBy('id', isUrgentFirst ? 'asc' : 'desc')
    .limit(size)
  if (!after) return page
  const follows = sql.raw(isUrgentFirst ? '>' : '<')
  return page.where(sql<boolean>`(${sql.ref(key)}, id) ${follows} (${after[0]}, ${after[1]})`)
}

/**
 * Selects the leads that wait for a promised reply: those in the view "Open" whose state is `open`. This leaves out suspected
 * spam, and leads whose follow-up day has not come yet.
 */
export const waitingLeads = (db: Database, now: Date) => leadsIn(db, 'open', now).where('state', '=', 'open')

/** Selects the waiting leads whose promised reply time has passed. */
export const lateLeads = (db: Database, now: Date) =>
  waitingLeads(db, now).where('due_at', '<', now.toISOString())

/** Decodes a cursor. Throws a Problem if it is invalid: PostgreSQL rejects text with certain characters, such as NUL. */
export function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const decoded = Buffer.from(cursor, 'base64url').toString()
  const [, key, id] = /^([\w:.-]{0,64}) ([\w:.-]{0,64})$/.exec(decoded) ?? []
  if (key !== undefined && id !== undefined) return [key, id]
  throw new Problem('invalid_input', 'This cursor is not valid. Load the list from the beginning.')
}

const FIRST_WORDS = 160

/** What the emails of a lead say about the person's address. */
export const outboxColumns = [hasBouncedReceipt.as('isBounced'), answerStuckSince.as('stuckSince')] as const

type Row = Selectable<Schema['leads']> & { isBounced: boolean | 0 | 1; stuckSince: string | null }

/** One line of a list, from a lead with the columns of the outbox. */
export const toLeadRow = (row: Row): LeadRow => ({
  reference: row.reference,
  name: `${row.first_name} ${row.last_name}`,
  budget: row.budget,
  firstWords: firstWords(row.message),
  state: row.state,
  isSuspect: isOpenSuspect(row),
  isUnread: row.seen_at === null,
  receivedAt: row.created_at,
  dueAt: row.due_at,
  followUpOn: row.follow_up_on,
  repliedAt: row.replied_at,
  trouble: row.trouble,
  addressDoubt: row.isBounced ? addressDoubt(row.phone) : null,
  stuckSince: row.stuckSince,
  version: row.version,
})

/** The beginning of a text, on one line. Cuts only between code points: half a surrogate pair is an invalid character. */
export function firstWords(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()]
  return letters.length <= FIRST_WORDS
    ? letters.join('')
    : `${letters.slice(0, FIRST_WORDS).join('').trimEnd()}…`
}

// How many leads one query looks through. On SQLite, that takes about 3 ms, during which the server does nothing else.
const STEP = 5_000

/**
 * Finds the lead with this reference or, if there is none, the leads that have every term of the search, newest first.
 * `before`: only leads with lower ids, which are older. Every id is lower than `~`.
 */
export async function searchLeads(
  db: Database,
  { search, before = '~' }: { search: string; before?: string | undefined },
): Promise<LeadPage> {
  const leads = db.selectFrom('leads').selectAll('leads').select(outboxColumns)
  const exact = await leads.where('reference', '=', readReference(search) ?? '').execute()
  const ids = exact.length > 0 ? [] : await findIds(db, searchTerms(search), before, PAGE_SIZE + 1)
  const found = ids.length > 0 ? await leads.where('id', 'in', ids).orderBy('id', 'desc').execute() : []
  return toPage([...exact, ...found], ({ id }) => ['', id])
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
