import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { nextOfficeDay } from '../office-time.ts'

type Sorted = Pick<
  Selectable<Schema['leads']>,
  'state' | 'due_at' | 'follow_up_on' | 'trouble' | 'replied_at'
>

// How the sort keys of open leads begin. All others are times, which begin with the "2" of their
// year.
const URGENT = '0'
const FOLLOW_UP = '1'

/**
 * The key that sorts a lead in its list, after a change. A lead with a follow-up has its day. The list
 * `open` begins with the leads whose answer did not arrive, or whose person wrote again; the key of any
 * other open lead is its due time, and that of all remaining leads the time of the change.
 */
export function sortKey(lead: Sorted, changedAt: string): string {
  const { state, due_at, follow_up_on, trouble, replied_at } = lead
  if (follow_up_on && (state === 'open' || state === 'answered')) return FOLLOW_UP + follow_up_on
  if (state !== 'open') return changedAt
  return trouble || replied_at ? URGENT + changedAt : due_at
}

/** An SQL condition for open leads: an answer did not arrive, or the person wrote again. */
export const isUrgent = sql<boolean>`sort_key < ${FOLLOW_UP}`

/** An SQL condition for open leads: an owner chose a day for them. */
export const hasFollowUp = sql<boolean>`sort_key between ${FOLLOW_UP} and ${`${FOLLOW_UP}~`}`

/** An SQL condition for open leads: an owner chose a day for them that has not come yet. */
export const isForLater = (now: Date) =>
  sql<boolean>`sort_key between ${FOLLOW_UP + nextOfficeDay(now)} and ${`${FOLLOW_UP}~`}`
