import { type Selectable, sql } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { isOpenSuspect } from '../lead-store.ts'
import { nextOfficeDay } from '../office-time.ts'

type Row = Selectable<Schema['leads']>
type Placed = Pick<
  Row,
  'state' | 'spam_score' | 'verdict' | 'due_at' | 'follow_up_on' | 'trouble' | 'replied_at'
>

// How the sort keys of open leads begin. All others are times, which begin with the "2" of their
// year.
const URGENT = '0'
const FOLLOW_UP = '1'

/**
 * Where a lead stands in the inbox after a change: in which list, and the key by which that list is
 * sorted. An open lead that looks like spam is in `suspects` until an owner judges it. A lead with
 * a follow-up is in `open`, even if it was answered. Otherwise, `open` begins with the leads whose
 * answer did not arrive, or whose person wrote again; the key of any other open lead is its due
 * time, and that of all remaining leads the time of the change.
 */
export function place(lead: Placed, changedAt: string): Pick<Row, 'list' | 'sort_key'> {
  const { state, due_at, follow_up_on, trouble, replied_at } = lead
  if (follow_up_on && (state === 'open' || state === 'answered'))
    return { list: 'open', sort_key: FOLLOW_UP + follow_up_on }
  if (state !== 'open') return { list: state, sort_key: changedAt }
  const list = isOpenSuspect(lead) ? 'suspects' : 'open'
  return { list, sort_key: trouble || replied_at ? URGENT + changedAt : due_at }
}

/** An SQL condition for open leads: an answer did not arrive, or the person wrote again. */
export const isUrgent = sql<boolean>`sort_key < ${FOLLOW_UP}`

/** An SQL condition for open leads: an owner chose a day for them. */
export const hasFollowUp = sql<boolean>`sort_key between ${FOLLOW_UP} and ${`${FOLLOW_UP}~`}`

/** An SQL condition for open leads: an owner chose a day for them that has not come yet. */
export const isForLater = (now: Date) =>
  sql<boolean>`sort_key between ${FOLLOW_UP + nextOfficeDay(now)} and ${`${FOLLOW_UP}~`}`
