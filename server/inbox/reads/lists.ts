import { type RawBuilder, sql } from 'kysely'
import type { LeadView } from '#shared/inbox/lead.ts'
import { listOf } from '../../database/list-of.ts'
import type { Database } from '../../database/schema.ts'
import { nextOfficeDay } from '../../leads/office-time.ts'
import type { Position } from './cursor.ts'

/** A part of a list, excluding its bounds. */
export type Range = { after: Position; before: Position }

/** Strings that sort before and after every sort key. */
const [FIRST, LAST] = ['', '~']
/** The sort key of a follow-up is "1" plus its day. A sort key that is a time starts with the "2" of its year. */
const [FOLLOW_UPS, TIMES] = ['1', '2']

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
