import { sql } from 'kysely'
import type { Database } from '../../database/schema.ts'
import { isUnproven, lastAnswerId, unanswered } from './reply-notices.ts'

// Whoever got one of our emails can forge an owner's answer to it that comes to the inbox.
const isAnsweredByOwner = sql<boolean>`exists (select 1 from lead_events as last
  where last.id = ${lastAnswerId} and coalesce(last.joined, '') <> 'ours')`

/**
 * Whether the reply with this key is the first that the person of the lead has written since an
 * owner's answer. False if anybody could have forged the reply or the answer.
 */
export async function isFirstReply(db: Database, leadId: string, key: string): Promise<boolean> {
  const first = await unanswered(db, leadId)
    .select('key')
    .where(isAnsweredByOwner)
    .where(sql<boolean>`who = lower(email)`)
    .where(isUnproven, '=', 0)
    .orderBy('lead_events.id')
    .limit(1)
    .executeTakeFirst()
  return first?.key === key
}
