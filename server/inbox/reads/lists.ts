import { type SelectQueryBuilder, sql } from 'kysely'
import { type LeadPage, type LeadView, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { listOf } from '../../database/migrations/001-first.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { nextOfficeDay } from '../../leads/office-time.ts'
import { Problem } from '../../problem.ts'
import { rowColumns, toLeadRow } from './lead-row.ts'

/** A lead's position in a list: its sort key and its id. */
export type Position = readonly [key: string, id: string]

type Input = { view: LeadView; after: Position | undefined; now: Date }

/** One page of a view. Pages begin after a position, never at an offset, so that the last page is as fast as the first. */
export async function listLeads(db: Database, { view, after, now }: Input): Promise<LeadPage> {
  const leads = leadsIn(db, view, now)
    .select(rowColumns)
    .select(`${keyOf(view)} as key`)
  // Read one more row, to find out whether there is a next page.
  const rows = await pageOf(leads, view, after, PAGE_SIZE + 1).execute()
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  return {
    leads: page.map(toLeadRow),
    next: last && rows.length > PAGE_SIZE ? toCursor([last.key, last.id]) : null,
  }
}

/** The column that orders a view. */
export const keyOf = (view: LeadView): 'created_at' | 'sort_key' =>
  view === 'all' ? 'created_at' : 'sort_key'

/**
 * Selects the leads of a view. A future follow-up is in the list `open`, too, but only the view `waiting` shows it: its sort
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
  if (view === 'waiting') return leads.where(sql<boolean>`${listOf} = 'open' and sort_key ${isFuture}`)
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
  const isUrgentFirst = view === 'open' || view === 'waiting'
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

/** Encodes a position as a cursor. The browser only sends it back unread, so its format may change. */
export const toCursor = (position: Position): string => Buffer.from(position.join(' ')).toString('base64url')

/** Decodes a cursor. Throws a Problem if it is invalid: PostgreSQL rejects text with certain characters, such as NUL. */
export function readCursor(cursor: string | undefined): Position | undefined {
  if (cursor === undefined) return undefined
  const decoded = Buffer.from(cursor, 'base64url').toString()
  const [, key, id] = /^([\w:.-]{0,64}) ([\w:.-]{0,64})$/.exec(decoded) ?? []
  if (key !== undefined && id !== undefined) return [key, id]
  throw new Problem('invalid_input', 'This cursor is not valid. Load the list from the beginning.')
}
