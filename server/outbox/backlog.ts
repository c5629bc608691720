import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/** An email to the owner that waits longer than this is late. */
export const MAIL_PATIENCE_MS = 15 * 60 * 1000
// Replica clocks differ by less. An email queued further in the future comes from a wrong clock.
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000

/**
 * An unsent email to the owner, or an answer. Leaves out alerts, which only older versions queue, and sign-in emails, which
 * aren't about leads. The first line must be the condition of the index `outbox_waiting`, or SQLite doesn't use it.
 */
export const isOpenForOwner = sql<boolean>`state in ('queued', 'sending') and kind not in ('visitor_receipt', 'alert')
  and kind <> 'sign_in'`
/** An email to the owner that was given up. Excludes answers to visitors: their leads are open again. */
export const isGivenUp = sql<boolean>`state = 'failed' and kind not in ('visitor_receipt', 'answer', 'alert', 'sign_in')`
/** A receipt rejected because the mailbox does not exist. Its first condition is that of the index `outbox_failed`. */
export const isBounced = sql<boolean>`state = 'failed' and kind = 'visitor_receipt' and exists
  (select 1 from outbox_attempts where outbox_id = outbox.id and outcome = 'bounced')`

/** Whether a lead's receipt bounced, in a query of `leads`. */
export const hasBouncedReceipt = sql<
  boolean | 0 | 1
>`exists (select 1 from outbox where lead_id = leads.id and ${isBounced})`

// An email that was rejected. Waiting doesn't help: someone has to fix the account, the sender or a quota.
const isRejected = sql<boolean>`exists (select 1 from outbox_attempts
  where outbox_id = outbox.id and outcome = 'retry' and smtp_code >= 500 and at >= outbox.queued_at)`

/** Emails to the owner that need attention. The first three fields are about stuck ones: late, rejected or from the future. */
export type Backlog = { waiting: number; mailboxes: number; oldestAt: string | null; givenUp: number }

function stuckEmails(db: Database, waitingSince: Date) {
  const latest = new Date(waitingSince.getTime() + MAIL_PATIENCE_MS + CLOCK_TOLERANCE_MS)
  return db
    .selectFrom('outbox')
    .where(isOpenForOwner)
    .where(({ or, eb }) =>
      or([
        eb('queued_at', '<', waitingSince.toISOString()),
        eb('queued_at', '>', latest.toISOString()),
        isRejected,
      ]),
    )
}

export async function readBacklog(db: Database, waitingSince: Date): Promise<Backlog> {
  const stuck = await stuckEmails(db, waitingSince)
    .select(({ fn }) => [
      fn.countAll<number>().as('waiting'),
      fn.count<number>('recipient').distinct().as('mailboxes'),
      fn.min('queued_at').as('oldestAt'),
    ])
    .executeTakeFirstOrThrow()
  const { givenUp } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('givenUp'))
    .where(isGivenUp)
    .executeTakeFirstOrThrow()
  return { ...stuck, givenUp }
}

export async function readMailHealth(db: Database, waitingSince: Date): Promise<'ok' | 'waiting' | 'failed'> {
  const failed = await db.selectFrom('outbox').select('id').where(isGivenUp).limit(1).executeTakeFirst()
  if (failed) return 'failed'
  return (await oldestStuck(db, waitingSince)) ? 'waiting' : 'ok'
}

/** When the oldest stuck email to the owner was queued. Fast in a long backlog, where the first row already matches. */
export async function oldestStuck(db: Database, waitingSince: Date): Promise<string | undefined> {
  const stuck = stuckEmails(db, waitingSince).select('queued_at').orderBy('queued_at').limit(1)
  return (await stuck.executeTakeFirst())?.queued_at
}

/** Whether an unsent email to the owner has failed or was requeued. */
export async function isRetryPending(db: Database): Promise<boolean> {
  const pending = await db
    .selectFrom('outbox')
    .select('id')
    .where(isOpenForOwner)
    .where(sql<boolean>`exists (select 1 from outbox_attempts
      where outbox_id = outbox.id and outcome in ('retry', 'failed', 'requeued'))`)
    .limit(1)
    .executeTakeFirst()
  return pending !== undefined
}
