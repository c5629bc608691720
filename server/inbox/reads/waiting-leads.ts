import type { Database } from '../../database/schema.ts'
import { leadsIn, rangesOf } from './lists.ts'

/** Limits leads to those whose reply is due at `after` or later, and earlier than `before`. Both are ISO 8601 times. */
export type Due = { after?: string; before?: string }

/**
 * The leads that wait for a promised reply: those in the view "Open" whose state is `open`. This leaves out suspected spam,
 * and leads whose follow-up day has not come yet. Returns a query for each part of the view (see `rangesOf`), the most
 * urgent part first.
 */
export const waitingLeads = (db: Database, now: Date, { after = '', before = '~' }: Due = {}) =>
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
