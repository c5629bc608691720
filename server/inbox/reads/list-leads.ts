import { type LeadPage, type LeadView, PAGE_SIZE } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { type Position, toCursor } from './cursor.ts'
import { rowColumns, toLeadRow } from './lead-row.ts'
import { isUrgentFirst, keyOf, leadsIn, type Range, rangesOf } from './lists.ts'

type Input = { view: LeadView; after: Position | undefined; now: string }

/** One page of a view. Pages begin after a position, never at an offset, so that the last page is as fast as the first. */
export async function listLeads(db: Database, { view, after, now }: Input): Promise<LeadPage> {
  const rows: Row[] = []
  for (const range of rangesOf(view, new Date(now)).map((range) => startAt(range, view, after))) {
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

/** The part of a range that comes after a position in the view's order; the whole range if all of it does. */
function startAt(range: Range, view: LeadView, position: Position | undefined): Range {
  if (!position) return range
  if (isUrgentFirst(view)) return isBefore(range.after, position) ? { ...range, after: position } : range
  return isBefore(position, range.before) ? { ...range, before: position } : range
}

/** Compares positions as both databases do. This holds only for the characters that sort keys and ids contain. */
const isBefore = ([key, id]: Position, [otherKey, otherId]: Position) =>
  key === otherKey ? id < otherId : key < otherKey
