import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../database/schema.ts'

type Sorted = Pick<Selectable<Schema['leads']>, 'state' | 'due_at' | 'follow_up_at' | 'trouble'>

// How the sort keys of open leads begin. All others are times, which begin with the "2" of their
// year.
const URGENT = '0'
const FOLLOW_UP = '1'

/**
 * The key that sorts a lead in its list, after a change. A lead with a follow-up has its time. The
 * list `open` begins with the leads whose answer did not arrive; the key of any other open lead is
 * its due time, and that of all remaining leads the time of the change.
 */
export function sortKey({ state, due_at, follow_up_at, trouble }: Sorted, changedAt: string): string {
  if (follow_up_at && state !== 'spam') return FOLLOW_UP + follow_up_at
  if (state !== 'open') return changedAt
  return trouble ? URGENT + changedAt : due_at
}

/** An SQL condition for open leads: an owner chose a time for them. */
export const hasFollowUp = sql<boolean>`sort_key between ${FOLLOW_UP} and ${`${FOLLOW_UP}~`}`

/** An SQL condition for open leads: an owner chose a time for them that has come since then. */
export const hasComeSince = (since: string, now: Date) =>
  sql<boolean>`sort_key between ${FOLLOW_UP + since} and ${FOLLOW_UP + now.toISOString()}`

/** An SQL condition for open leads: an owner chose a time for them that has not come yet. */
export const isForLater = (now: Date) =>
  sql<boolean>`sort_key between ${FOLLOW_UP + now.toISOString()} and ${`${FOLLOW_UP}~`}`
