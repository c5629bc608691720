import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/** An email that waits longer than this is worth waking somebody. */
export const MAIL_PATIENCE_MS = 15 * 60 * 1000
// Clocks of replicas differ by less; what is further ahead was queued by a wrong clock, perhaps a year ahead.
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000

/**
 * An email to the owner that is still to be sent. Receipts do not count: a visitor's mistyped address is not for the
 * operator to fix. Nor do alerts, which older replicas queue. Spelled as in the index.
 */
export const isOpenForOwner = sql<boolean>`state in ('queued', 'sending') and kind not in ('visitor_receipt', 'alert')`
/** An email to the owner that was given up. */
export const isGivenUp = sql<boolean>`state = 'failed' and kind not in ('visitor_receipt', 'alert')`
/** A receipt that the mail server refused because it knows no such mailbox. Spelled as in the index. */
export const isBounced = sql<boolean>`state = 'failed' and kind = 'visitor_receipt' and exists
  (select 1 from outbox_attempts where outbox_id = outbox.id and outcome = 'bounced')`

// A refusal does not get better by waiting: somebody has to fix the account, the sender or a quota.
const isRefused = sql<boolean>`exists (select 1 from outbox_attempts
  where outbox_id = outbox.id and outcome = 'retry' and smtp_code >= 500 and at >= outbox.queued_at)`

/** Emails to the owner that are stuck: held up, refused or misdated, in how many mailboxes, since when, and those given up. */
export type Backlog = { waiting: number; mailboxes: number; oldestAt: string | null; givenUp: number }

function stuck(db: Database, waitingSince: Date) {
  const furthest = new Date(waitingSince.getTime() + MAIL_PATIENCE_MS + CLOCK_TOLERANCE_MS)
  return db
    .selectFrom('outbox')
    .where(isOpenForOwner)
    .where(({ or, eb }) =>
      or([
        eb('queued_at', '<', waitingSince.toISOString()),
        eb('queued_at', '>', furthest.toISOString()),
        isRefused,
      ]),
    )
}

/** The emails to the owner that have waited since before the given time, were refused, or are from the future. */
export async function readBacklog(db: Database, waitingSince: Date): Promise<Backlog> {
  const held = await stuck(db, waitingSince)
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
  return { ...held, givenUp }
}

/** The backlog in a word. Where nothing is late, it looks into the ledger of everything that waits. */
export async function readMailHealth(db: Database, waitingSince: Date): Promise<'ok' | 'waiting' | 'failed'> {
  const failed = await db.selectFrom('outbox').select('id').where(isGivenUp).limit(1).executeTakeFirst()
  if (failed) return 'failed'
  // The oldest first: where mail has been waiting for long, one row answers.
  const waiting = await stuck(db, waitingSince).select('id').orderBy('queued_at').limit(1).executeTakeFirst()
  return waiting ? 'waiting' : 'ok'
}

/** Whether an email to the owner that failed, or was put back in the queue, is still to be sent. */
export async function isRetryPending(db: Database): Promise<boolean> {
  const hasFailed = sql<boolean>`exists (select 1 from outbox_attempts
    where outbox_id = outbox.id and outcome in ('retry', 'failed', 'requeued'))`
  const pending = await db
    .selectFrom('outbox')
    .select('id')
    .where(isOpenForOwner)
    .where(hasFailed)
    .limit(1)
    .executeTakeFirst()
  return pending !== undefined
}
