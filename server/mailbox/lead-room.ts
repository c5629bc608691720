import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { isUnproven, unanswered, unproven } from '../leads/emails/reply-notices.ts'
import { UNREADABLE } from '../leads/messages/message-text.ts'
import type { FoundLead } from './find-lead.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// How many messages of a day, and how many bytes, a lead keeps. Somebody to whom an email was
// forwarded must not use up the room of the lead's own address, and whoever forges messages, which
// count apart, must not use up the room of the others. The bytes are those of the whole lead, with
// quotations: the databases know their number without reading the texts.
const limits = {
  'from its address': { aDay: 200, bytes: 2_000_000 },
  'from others': { aDay: 150, bytes: 1_500_000 },
  unproven: { aDay: 20, bytes: 1_000_000 },
}
/** What stands for all further messages of a day. */
export const MORE = 'More messages came today than are kept here. You find them in your mailbox.'

/**
 * How much of another message a lead can keep: all, none, or only the returned sentence in place of
 * its words. So nobody can fill the disk.
 */
export async function roomIn(
  db: Database,
  { id, email, joined, who }: FoundLead & { who: string },
  now: Date,
): Promise<'all' | 'none' | string> {
  const person = email.toLowerCase()
  const kind = unproven.includes(joined) ? 'unproven' : who === person ? 'from its address' : 'from others'
  const received = db.selectFrom('lead_events').where('lead_id', '=', id).where('received', 'is not', null)
  const { kept, proven, others, forgeable } = await received
    .select(({ fn }) => {
      const today = fn
        .countAll<number>()
        .filterWhere('at', '>', dayBefore(now))
        // These are surely an owner's.
        .filterWhere('joined', 'not in', ['sent', 'shared'])
      const proven = today.filterWhere(isUnproven, '=', 0)
      return [
        sql<number>`coalesce(sum(octet_length(text) + octet_length(received)), 0)`.as('kept'),
        proven.as('proven'),
        proven.filterWhere('who', '<>', person).as('others'),
        today.filterWhere(isUnproven, '=', 1).as('forgeable'),
      ]
    })
    .executeTakeFirstOrThrow()
  const leftOfAll = limits['from its address'].aDay - proven
  const left = {
    'from its address': leftOfAll,
    'from others': Math.min(leftOfAll, limits['from others'].aDay - others),
    unproven: limits.unproven.aDay - forgeable,
  }[kind]
  if (left <= 0) return 'none'
  if (left === 1) return MORE
  return kept < limits[kind].bytes ? 'all' : UNREADABLE
}

/** Whether somebody has written about a lead since an owner last answered. */
export async function isUnanswered(db: Database, leadId: string): Promise<boolean> {
  const news = await unanswered(db, leadId).select('lead_events.id').limit(1).executeTakeFirst()
  return news !== undefined
}

const dayBefore = (now: Date) => new Date(now.getTime() - DAY_MS).toISOString()
