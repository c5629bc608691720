import { randomBytes } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Joined, Schema } from '../../database/schema.ts'
import type { Env } from '../../env.ts'
import { domainOf, enqueue } from '../../outbox/email.ts'
import { wasUndone } from '../change/change-lead.ts'
import { MAX_UNANSWERED_REPLIES } from './mail-budget.ts'
import { noticeAddresses } from './notice-addresses.ts'

/**
 * For queries of `lead_events` as `answers`: one has failed. The outbox knows which. Of an email
 * that an owner has sent from an email program, the next step tells.
 */
const isReturned = sql`(answers.what = 'answer' and exists (select 1 from outbox
    where outbox.lead_id = answers.lead_id and outbox.kind = 'answer' and outbox.state = 'failed'
      and outbox.message_id like '<' || answers.key || '.%')
  or answers.what = 'answered_by_mail' and coalesce((select next.what from lead_events as next
    where next.lead_id = answers.lead_id and next.id > answers.id
      and next.what in ('answer', 'answered_by_mail', 'answer_failed')
    order by next.id limit 1), '') = 'answer_failed')`

const isTakenBack = sql`(answers.what = 'state' and coalesce((select later.to_value from lead_events as later
  where later.lead_id = answers.lead_id and later.id > answers.id and later.what = 'state'
    and not ${wasUndone('later')} order by later.id limit 1), '') = 'open')`

/**
 * For queries of `leads`: the event with which an owner last answered, in any way; 0 if there is
 * none. An owner's email that leaves the lead open was not an answer to everybody who waits. These
 * are none, either: an email that failed, a state that an owner has changed back to open, and what
 * was undone (an answer names its undo).
 */
export const lastAnswerId = newestOf(sql`false`)

/** The same, or after which an owner said that there was nothing to answer besides the request. */
export const lastSettledId = newestOf(sql`answers.what = 'nothing_to_answer'`)

/** `others`: a condition of events that count besides answers. */
function newestOf(others: RawBuilder<unknown>) {
  return sql<number>`coalesce((select max(answers.id) from lead_events as answers
  where ${isAnswer(others)}), 0)`
}

function isAnswer(others: RawBuilder<unknown>) {
  return sql`answers.lead_id = leads.id and (answers.what = 'answer' and not ${isReturned}
    and not exists (select 1 from lead_events as undos where undos.key = 'undo ' || answers.key)
  or (answers.what in ('answered_by_mail', 'state', 'nothing_to_answer')
      and coalesce(answers.to_value, '') <> 'open' and not ${isReturned} and not ${isTakenBack}
      or answers.what = 'result' and answers.to_value is not null
      or ${others})
    and not ${wasUndone('answers')})`
}

/**
 * For queries of `leads`: when the answer after the first one came, besides the answers at these
 * times, which have failed; null if none did. Those before it have failed earlier. By number:
 * emails may be read late.
 */
export const nextAnswerAt = (failed: readonly string[]) =>
  sql<string | null>`(select min(answers.at) from lead_events as answers where ${isAnswer(sql`false`)}
    and answers.what <> 'nothing_to_answer' and answers.at not in (${sql.join([...failed])})
    and answers.id > (select max(id) from lead_events where lead_id = leads.id and at = leads.answered_at))`

/**
 * Why a message belongs to a lead, if anybody could have forged it. Whoever forges the lead's
 * address can also name the Message-ID of what they have forged before.
 */
export const unproven: readonly Joined[] = ['theirs', 'reference', 'address']

/**
 * For queries of `lead_events`: 1 if the message names none of our emails, so that anybody can have
 * forged its sender. Such messages count apart from others of the same sender.
 */
export const isUnproven = sql<0 | 1>`case when joined in (${sql.join(unproven)}) then 1 else 0 end`

type Lead = Pick<Selectable<Schema['leads']>, 'id' | 'budget'>
type Deps = { env: Env; at: Date }

/**
 * Queues a notice of a reply for each address, within the caller's transaction, which has stored
 * the reply as the event with this key. If the lead has had too many without an answer, the next
 * list names it instead. Whether the mail budget has room is decided when the notice is sent.
 */
export async function queueReplyNotices(
  transaction: Database,
  lead: Lead,
  key: string,
  { env, at }: Deps,
): Promise<void> {
  const { id } = lead
  if ((await countUnanswered(transaction, id)) > MAX_UNANSWERED_REPLIES) {
    await markUnheard(transaction, id)
    return
  }
  const emails = noticeAddresses(env, lead).map((recipient, index) => ({
    leadId: id,
    kind: 'owner_notice' as const,
    content: JSON.stringify({ key }),
    recipient,
    // The visitor knows the ID of the lead, and what the key is made of.
    messageId: `<${id}.reply-${randomBytes(11).toString('hex')}.${index}@${domainOf(env.MAIL_FROM)}>`,
  }))
  await enqueue(transaction, emails, at)
}

/** Makes the next list name a lead, which looks unread until an owner opens it. */
export const markUnheard = (transaction: Database, id: string) =>
  transaction.updateTable('leads').set({ seen_at: null, awaits_list: 1 }).where('id', '=', id).execute()

/** The replies since the last answer, which is `last_answer`, that an owner may have to answer. */
export const unanswered = (db: Database, leadId: string) =>
  db
    .with(
      // Otherwise, a database could look for the last answer again for each event.
      (answered) => answered('answered').materialized(),
      (query) =>
        query
          .selectFrom('leads')
          .select(['leads.id as answered_id', lastAnswerId.as('last_answer'), lastSettledId.as('settled')])
          .where('leads.id', '=', leadId),
    )
    .selectFrom('answered')
    .innerJoin('leads', 'leads.id', 'answered_id')
    .innerJoin('lead_events', 'lead_events.lead_id', 'leads.id')
    .where('what', '=', 'reply')
    .whereRef('lead_events.id', '>', 'settled')

async function countUnanswered(db: Database, leadId: string): Promise<number> {
  const { replies } = await unanswered(db, leadId)
    .select(({ fn }) => fn.countAll<number>().as('replies'))
    .executeTakeFirstOrThrow()
  return replies
}
