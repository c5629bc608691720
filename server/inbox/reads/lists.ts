import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { type LeadPage, type LeadView, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { listOf } from '../../database/list-of.ts'
import type { Database } from '../../database/schema.ts'
import { nextOfficeDay } from '../../leads/office-time.ts'
import { rowColumns, toLeadRow } from './lead-row.ts'

/** A lead's position in a list: its sort key and its id. */
export type Position = readonly [key: string, id: string]
/** A part of a list, excluding its bounds. */
type Range = { after: Position; before: Position }

// Strings that sort before and after every sort key.
const [FIRST, LAST] = ['', '~']
// The sort key of a follow-up is "1" plus its day. A sort key that is a time starts with the "2" of its year.
const [FOLLOW_UPS, TIMES] = ['1', '2']

type Input = { view: LeadView; after: Position | undefined; now: Date }

/** One page of a view. Pages begin after a position, never at an offset, so that the last page is as fast as the first. */
export async function listLeads(db: Database, { view, after, now }: Input): Promise<LeadPage> {
  const rows: Row[] = []
  for (const range of rangesOf(view, now).map((range) => startAt(range, view, after))) {
    // Read one more row, to find out whether there is a next page.
    const missing = PAGE_SIZE + 1 - rows.length
    if (missing > 0) rows.push(...(await readRange(db, view, range, missing)))
  }
  const page = rows.slice(0, PAGE_SIZE)
  const last = page.at(-1)
  return {
    leads: page.map(toLeadRow),
    next: last && rows.length > PAGE_SIZE ? toCursor([last.key, last.id]) : null,
  }
}

type Row = Awaited<ReturnType<typeof readRange>>[number]

function readRange(db: Database, view: LeadView, range: Range, limit: number) {
  const order = isUrgentFirst(view) ? 'asc' : 'desc'
  return leadsIn(db, view, range)
    .select(rowColumns)
    .select(`${keyOf(view)} as key`)
    .orderBy(keyOf(view), order)
    .orderBy('id', order)
    .limit(limit)
    .execute()
}

/**
 * The parts of a list that a view shows. Future follow-ups sort in the middle of the open list, but have their own view,
 * `waiting`.
 */
export function rangesOf(view: LeadView, now: Date): [Range, ...Range[]] {
  const future = `${FOLLOW_UPS}${nextOfficeDay(now)}`
  if (view === 'open') return [between(FIRST, future), between(TIMES, LAST)]
  if (view === 'waiting') return [between(future, TIMES)]
  return [between(FIRST, LAST)]
}

const between = (from: string, until: string): Range => ({ after: [from, ''], before: [until, ''] })

/** The part of a range that comes after a position in the view's order; the whole range if all of it does. */
function startAt(range: Range, view: LeadView, position: Position | undefined): Range {
  if (!position) return range
  if (isUrgentFirst(view)) return isBefore(range.after, position) ? { ...range, after: position } : range
  return isBefore(position, range.before) ? { ...range, before: position } : range
}

/** Compares positions as both databases do. This holds only for the characters that sort keys and ids contain. */
const isBefore = ([key, id]: Position, [otherKey, otherId]: Position) =>
  key === otherKey ? id < otherId : key < otherKey

/** Whether a view starts with the most urgent lead. The other views start with the newest. */
export const isUrgentFirst = (view: LeadView): boolean => view === 'open' || view === 'waiting'

/** The column that orders a view. */
export const keyOf = (view: LeadView): 'created_at' | 'sort_key' =>
  view === 'all' ? 'created_at' : 'sort_key'

/** Selects the leads of a view within these bounds. */
export function leadsIn(db: Database, view: LeadView, { after, before }: Range) {
  const position = sql`(${sql.ref(keyOf(view))}, id)`
  const leads = db
    .selectFrom('leads')
    .where(sql<boolean>`${position} > ${pair(after)}`)
    .where(sql<boolean>`${position} < ${pair(before)}`)
  if (view === 'all') return leads
  return leads.where(sql<boolean>`${listOf} = ${view === 'waiting' ? 'open' : view}`)
}

const pair = ([key, id]: Position): RawBuilder<unknown> => sql`(${key}, ${id})`

/** Limits leads to those whose reply is due at `after` or later, and earlier than `before`. Both are ISO 8601 times. */
export type Due = { after?: string; before?: string }

/**
 * The leads that wait for a promised reply: those in the view "Open" whose state is `open`. This leaves out suspected spam,
 * and leads whose follow-up day has not come yet. Returns a query for each part of the view (see `rangesOf`), the most
 * urgent part first.
 */
export const waitingLeads = (db: Database, now: Date, { after = FIRST, before = LAST }: Due = {}) =>
  rangesOf('open', now).map((range) => {
    // The second part is sorted by due time. Narrower bounds let the index skip the leads that are due at other times.
    const isByDueTime = range.before[0] > after
    return leadsIn(db, 'open', {
      after: isByDueTime && range.after[0] < after ? [after, ''] : range.after,
      before: range.before[0] < before ? range.before : [before, ''],
    })
      .where('state', '=', 'open')
      .where('due_at', '>=', after)
      .where('due_at', '<', before)
  })

// Cursors come from outside, and PostgreSQL rejects text with certain characters, such as NUL.
const part = z.string().check(z.regex(/^[\w:.-]{0,64}$/))
const position = z.tuple([part, part])

/** Encodes a position as a cursor. The browser only sends it back unread, so its format may change. */
export const toCursor = (position: Position): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url')

/** Decodes a cursor; undefined if it is invalid. */
export function readCursor(cursor: string): Position | undefined {
  try {
    return position.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data
  } catch {
    return undefined
  }
}
