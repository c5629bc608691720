import { type RawBuilder, sql } from 'kysely'
import type { Database, FailureCause } from '../database/schema.ts'
import { kindsNotToOwners } from './email.ts'

/** An email to the owner that waits longer than this is late. */
export const MAIL_PATIENCE_MS = 15 * 60 * 1000

// Contains the condition of the index `outbox_open`: otherwise, SQLite doesn't use the index.
const isOpen = sql<boolean>`state in ('queued', 'sending') and kind <> 'visitor_receipt'`
/**
 * Matches unsent emails to the owner, and the owner's unsent answers to visitors. Leaves out
 * sign-in emails, which aren't about leads.
 */
const isOpenForOwner = sql<boolean>`${isOpen} and kind not in ('sign_in', 'webhook')`
/**
 * Matches emails to the owner that the server gave up on. Leaves out answers to visitors: a failed
 * answer reopens its lead, so the owner sees it in the inbox.
 */
export const isGivenUp = sql<boolean>`state = 'failed' and kind not in (${sql.join(kindsNotToOwners)})`
// A mailbox that is full may have room a few minutes later, and a server that defers unknown
// senders accepts a later attempt.
const STUCK_AFTER_ATTEMPTS = 4
/**
 * Whether an answer that has failed this often, for this reason, is stuck: one person's trouble,
 * which its lead shows.
 */
export const isStuck = (attempts: number, cause: FailureCause): boolean =>
  attempts >= STUCK_AFTER_ATTEMPTS && cause !== 'server'
/**
 * An SQL condition for a lead and the recipient of an email about it: an owner has corrected that
 * address, from which nobody has written, and has answered to the present one, so that nobody waits
 * for this email anymore.
 */
export const isCorrected = (leadId: RawBuilder<unknown>, recipient: RawBuilder<unknown>) =>
  sql<boolean | 0 | 1>`exists (select 1 from lead_events as corrections
    join leads as corrected on corrected.id = corrections.lead_id
    where corrections.lead_id = ${leadId} and corrections.what = 'address'
      and lower(corrections.from_value) = lower(${recipient}) and lower(corrected.email) <> lower(${recipient})
      and exists (select 1 from outbox as newer where newer.lead_id = ${leadId} and newer.kind = 'answer'
        and newer.state <> 'failed' and lower(newer.recipient) = lower(corrected.email))
      and not exists (select 1 from lead_events as replies where replies.lead_id = ${leadId}
        and replies.what in ('reply', 'automatic_reply') and replies.who = lower(${recipient})))`
export const isStuckAnswer = sql<boolean>`kind = 'answer' and state in ('queued', 'sending')
  and attempts >= ${sql.lit(STUCK_AFTER_ATTEMPTS)} and cause <> 'server'
  and not ${isCorrected(sql`outbox.lead_id`, sql`outbox.recipient`)}`
/** For queries of `leads`: since when an answer has been stuck, or null. */
export const answerStuckSince = sql<string | null>`(select min(queued_at) from outbox
  where lead_id = leads.id and ${isStuckAnswer})`

/**
 * Matches receipts to mailboxes that don't exist. `state = 'failed'` lets SQLite use the index
 * `outbox_failed`.
 */
const isBounced = sql<boolean>`state = 'failed' and kind = 'visitor_receipt' and exists
  (select 1 from outbox_attempts where outbox_id = outbox.id and outcome = 'bounced')`

/**
 * For queries of `leads`: whether the receipt of a lead bounced, and nobody has corrected the
 * address since.
 */
export const hasBouncedReceipt = sql<
  boolean | 0 | 1
>`exists (select 1 from outbox where lead_id = leads.id and recipient = leads.email and ${isBounced})`

// Causes count apart: an email that is refused because of its recipient or its content says nothing
// about the mail server, and must not hide an outage. Answers are left out of the refused ones:
// their leads show that they are stuck.
const isServersFault = sql<boolean>`coalesce(cause, 'server') = 'server'`
/** Matches what waits for the mail server: late, if that takes long. */
export const isUnsent = sql<boolean>`${isOpenForOwner} and ${isServersFault}`
/** Matches emails to owners that the mail server refuses because of their recipient or content. */
export const isRefused = sql<boolean>`${isOpenForOwner} and kind <> 'answer' and not ${isServersFault}`

/** `webhook`: undefined unless LEAD_WEBHOOK_URL is set. */
type Deps = { db: Database; env: { webhook?: object | undefined } }

/**
 * What needs attention. `waiting`, `oldestAt` and `givenUp` are about emails to the owner: how many
 * are late, since when, and how many were given up. They leave out those that the mail server
 * refuses because of their recipient or content: `refused` counts these, the oldest of which was
 * queued at `refusedSince`. `webhook` is about leads that are posted to LEAD_WEBHOOK_URL; undefined
 * if it isn't set.
 */
export async function readBacklog({ db, env }: Deps, now: Date, patienceMs = MAIL_PATIENCE_MS) {
  const lateSince = new Date(now.getTime() - patienceMs).toISOString()
  const count = (isOpen: RawBuilder<boolean>, isFailed: RawBuilder<boolean>) => {
    const failed = db.selectFrom('outbox').where(isFailed)
    return db
      .selectFrom('outbox')
      .where(isOpen)
      .where('queued_at', '<', lateSince)
      .select(({ fn }) => [
        fn.countAll<number>().as('waiting'),
        fn.min<string | null>('queued_at').as('oldestAt'),
        failed.select(fn.countAll<number>().as('count')).$asScalar().$notNull().as('givenUp'),
      ])
      .executeTakeFirstOrThrow()
  }
  const refused = await count(isRefused, isGivenUp)
  const countPosts = () =>
    count(sql`${isOpen} and kind = 'webhook'`, sql`state = 'failed' and kind = 'webhook'`)
  return {
    ...(await count(isUnsent, isGivenUp)),
    refused: refused.waiting,
    refusedSince: refused.oldestAt,
    webhook: env.webhook && (await countPosts()),
  }
}
