import { type Selectable, sql } from 'kysely'
import type { Database, Schema } from '../database/schema.ts'
import type { Env } from '../env.ts'
import { domainOf } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { MAX_UNANSWERED_REPLIES } from './mail-budget.ts'

/**
 * For queries of `leads`: the event with which an owner last answered, in any way; 0 if there is none.
 * An owner's email that leaves the lead open was not an answer to everybody who waits.
 */
export const lastAnswerId = sql<number>`coalesce((select max(id) from lead_events where lead_id = leads.id
  and (what = 'answer' or (what in ('answered_by_mail', 'state') and coalesce(to_value, '') <> 'open'))), 0)`

type Lead = Pick<Selectable<Schema['leads']>, 'id' | 'awaits_list'>
type Deps = { env: Pick<Env, 'MAIL_TO' | 'MAIL_FROM'>; at: Date }

/**
 * Queues a notice of a reply for each owner, within the caller's transaction, which has stored the
 * reply as the event with this key. If nobody answers a person who writes again and again, the next
 * list names the lead instead. Whether the mail budget has room is decided when the notice is sent.
 */
export async function queueReplyNotices(
  transaction: Database,
  { id, awaits_list: awaitsList }: Lead,
  key: string,
  { env, at }: Deps,
): Promise<void> {
  // The next list names the lead.
  if (awaitsList === 1) return
  if ((await countUnanswered(transaction, id)) > MAX_UNANSWERED_REPLIES) {
    await transaction.updateTable('leads').set({ awaits_list: 1 }).where('id', '=', id).execute()
    return
  }
  const emails = env.MAIL_TO.map((recipient, index) => ({
    leadId: id,
    kind: 'owner_notice' as const,
    content: JSON.stringify({ key }),
    recipient,
    messageId: `<${id}.reply-${key.slice(-22)}.${index}@${domainOf(env.MAIL_FROM)}>`,
  }))
  await enqueue(transaction, emails, at)
}

/** Counts the person's replies since the last answer. */
async function countUnanswered(db: Database, leadId: string): Promise<number> {
  const { count } = await db
    .selectFrom('leads')
    .innerJoin('lead_events', 'lead_events.lead_id', 'leads.id')
    .where('leads.id', '=', leadId)
    .where('what', '=', 'reply')
    .where('lead_events.id', '>', lastAnswerId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
