import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { kindsNotToOwners, kindsToVisitors } from './email.ts'

/**
 * Puts the matching emails back in the queue, due now and with a new retry schedule. Returns their
 * number.
 */
async function requeue(db: Database, condition: RawBuilder<boolean>, now: Date): Promise<number> {
  const at = now.toISOString()
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ state: 'queued', attempts: 0, queued_at: at, due_at: at, sent_at: null, cause: null })
    .set({ arrived_in: null, arrived_at: null })
    .where(condition)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Who gets what is sent: the owners, and the program at LEAD_WEBHOOK_URL, if it is set. */
type Recipients = { addresses: readonly string[]; webhook?: { url: string } | undefined }

/** SQL conditions for emails, if these are the owners of today. */
function conditionsOf(addresses: readonly string[]) {
  // A list in SQL must not be empty, and no recipient is.
  const [first = '', ...others] = addresses.map((address) => address.toLowerCase())
  const isFormer = (recipient: string) =>
    sql`lower(${sql.ref(recipient)}) not in (${sql.join([first, ...others])})`
  const isToFormer = sql<boolean>`kind not in (${sql.join(kindsNotToOwners)}) and ${isFormer('recipient')}`
  const saysTheSame = sql`other.kind = outbox.kind
    and coalesce(cast(other.content as text), '') = coalesce(cast(outbox.content as text), '')`
  // What has failed replaces nothing that still waits.
  const isAsGood = sql`(other.state <> 'failed' or outbox.state in ('failed', 'sent'))`
  // Neither does what another former owner has got.
  const wasFirstToFormer = sql`${isFormer('other.recipient')} and other.id < outbox.id
    and (other.state <> 'sent' or outbox.state = 'sent')`
  const isSame = (ofSameLead: RawBuilder<unknown>) => sql`exists (select 1 from outbox as other
    where ${ofSameLead} and ${saysTheSame} and ${isAsGood}
      and (lower(other.recipient) = ${first} or ${wasFirstToFormer}))`
  return {
    isToFormer,
    /**
     * It goes to a former owner, and the first owner gets the same, perhaps in place of another
     * former one. With one condition for both kinds of lead_id, a database would read all emails.
     */
    isDoubled: sql<boolean>`${isToFormer} and (${isSame(sql`other.lead_id = outbox.lead_id`)}
      or outbox.lead_id is null and ${isSame(sql`other.lead_id is null`)})`,
  }
}

/**
 * Sends to the first of these addresses what waits for an owner who is no longer among them, or
 * what has failed, unless that one gets the same. Names the program that gets the waiting and
 * failed posts. What was sent keeps its recipient, for the history.
 */
export async function readdress(db: Database, { addresses, webhook }: Recipients): Promise<void> {
  const { isToFormer, isDoubled } = conditionsOf(addresses)
  const [recipient] = addresses
  const unsent = db.updateTable('outbox').where('state', '<>', 'sent')
  if (recipient !== undefined) {
    await db.deleteFrom('outbox').where('state', '<>', 'sent').where(isDoubled).execute()
    await unsent.set({ recipient }).where(isToFormer).execute()
  }
  if (webhook) {
    const { host } = new URL(webhook.url)
    const posts = unsent.where('kind', '=', 'webhook').where('recipient', '<>', host)
    await posts.set({ recipient: host }).execute()
  }
}

/**
 * Requeues a lead's notices and its webhook request to these recipients, even if they were sent,
 * and its other emails if they have failed. Excludes answers, which owners send again themselves.
 */
export const requeueLead = (db: Database, leadId: string, now: Date, recipients: Recipients) =>
  db.transaction().execute(async (transaction) => {
    const { isDoubled } = conditionsOf(recipients.addresses)
    const ofLead = sql<boolean>`lead_id = ${leadId} and not (${isDoubled})
      and (state = 'failed' and kind <> 'answer'
        or state <> 'sending' and kind in ('owner_notice', 'webhook'))`
    const requeued = await requeue(transaction, ofLead, now)
    await readdress(transaction, recipients)
    return requeued
  })

/**
 * Requeues what the server gave up on, of one lead or of all. Leaves out receipts, because late
 * ones would confuse visitors, and answers, which owners send again themselves.
 */
export const requeueFailed = (db: Database, leadId: string | undefined, now: Date) =>
  requeue(
    db,
    sql`state = 'failed' and kind not in (${sql.join(kindsToVisitors)}) and ${leadId ? sql`lead_id = ${leadId}` : sql`true`}`,
    now,
  )

/** Queues the notices that were only written to files because there was no mail server. */
export const requeueWritten = (db: Database, now: Date): Promise<number> =>
  requeue(db, sql`state = 'file' and kind = 'owner_notice'`, now)

/**
 * Makes all emails that wait for a retry due immediately. If they fail again, their retry schedule
 * continues. Excludes those that haven't been tried yet, such as answers that can still be undone.
 * Returns their number.
 */
export async function retryNow(db: Database, now: Date): Promise<number> {
  const at = now.toISOString()
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ due_at: at })
    .where(sql<boolean>`state = 'queued' and attempts > 0`)
    .where('due_at', '>', at)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
