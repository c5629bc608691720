import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database, Schema } from '../database/schema.ts'
import { isGivenUp, isGivenUpPost } from './backlog.ts'
import { isWebhookSet } from './webhook-setting.ts'

type Emails = SelectQueryBuilder<Schema, 'outbox', object>

/**
 * Puts the chosen emails and webhook posts back in the queue, due now and with a new retry schedule. Returns their number.
 * Leaves posts alone if LEAD_WEBHOOK_URL isn't set.
 */
export async function requeue(db: Database, choose: (emails: Emails) => Emails, now: Date): Promise<number> {
  const at = now.toISOString()
  const isSendable = (await isWebhookSet(db)) ? sql<boolean>`true` : sql<boolean>`kind <> 'webhook'`
  return db.transaction().execute(async (transaction) => {
    const chosen = choose(transaction.selectFrom('outbox')).where(isSendable)
    // Locks the rows, so that no other replica claims them before the commit.
    await chosen.select('id').forUpdate().execute()
    await transaction
      .insertInto('outbox_attempts')
      .columns(['outbox_id', 'at', 'outcome', 'response'])
      .expression(
        chosen.select(({ val }) => [
          'id',
          val(at).as('at'),
          val('requeued' as const).as('outcome'),
          val('').as('response'),
        ]),
      )
      .execute()
    const { numUpdatedRows } = await transaction
      .updateTable('outbox')
      .set({ state: 'queued', attempts: 0, queued_at: at, due_at: at, sent_at: null, cause: null })
      .where('id', 'in', chosen.select('id'))
      .executeTakeFirst()
    return Number(numUpdatedRows)
  })
}

/**
 * Requeues a lead's notices to the owner and its webhook post, even if they were sent, and its other emails if they have
 * failed. Excludes answers, which owners send again themselves.
 */
export const requeueLead = (db: Database, leadId: string, now: Date) =>
  requeue(
    db,
    (emails) =>
      emails
        .where('lead_id', '=', leadId)
        .where(
          sql<boolean>`((state = 'failed' and kind <> 'answer') or (state in ('queued', 'sent') and kind in ('owner_notice', 'webhook')))`,
        ),
    now,
  )

/**
 * Requeues failed emails and webhook posts. With `leadId`, only those of this lead, except answers. Without it, the posts and
 * the emails to the owner, except sign-in emails; receipts aren't sent again, because late ones would confuse visitors.
 */
export const requeueFailed = (db: Database, leadId: string | undefined, now: Date) =>
  requeue(
    db,
    (emails) =>
      leadId
        ? emails.where('lead_id', '=', leadId).where('state', '=', 'failed').where('kind', '<>', 'answer')
        : emails.where(({ or }) => or([isGivenUp, isGivenUpPost])),
    now,
  )

/**
 * Makes all emails and webhook posts that wait for a retry due immediately. If they fail again, their retry schedule
 * continues. Excludes those that haven't been tried yet, such as answers that can still be undone. Returns their number.
 */
export async function retryNow(db: Database, now: Date): Promise<number> {
  const at = now.toISOString()
  const { numUpdatedRows } = await db
    .updateTable('outbox')
    .set({ due_at: at })
    .where('state', '=', 'queued')
    .where('attempts', '>', 0)
    .where('due_at', '>', at)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
