import { type RawBuilder, sql } from 'kysely'
import type { Database, FailureCause } from '../database/schema.ts'
import { isWebhookSet } from './delivery-mode.ts'

/** An email to the owner that waits longer than this is late. */
export const MAIL_PATIENCE_MS = 15 * 60 * 1000
// Clocks of replicas differ by less than this, so an email queued further in the future comes from a wrong clock.
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000

// This must match the condition of the index `outbox_waiting`, or SQLite won't use it.
const isOpen = sql<boolean>`state in ('queued', 'sending') and kind <> 'visitor_receipt'`
/**
 * Matches unsent emails to the owner, and the owner's unsent answers to visitors. Leaves out sign-in emails, which aren't
 * about leads.
 */
export const isOpenForOwner = sql<boolean>`${isOpen} and kind not in ('sign_in', 'webhook')`
/**
 * Matches emails to the owner that the server gave up on. Leaves out answers to visitors: a failed answer reopens its lead,
 * so the owner sees it in the inbox.
 */
export const isGivenUp = sql<boolean>`state = 'failed' and kind not in ('visitor_receipt', 'answer', 'sign_in', 'webhook')`
// The next two conditions correspond to the two above, for leads that are posted to LEAD_WEBHOOK_URL.
const isOpenForWebhook = sql<boolean>`${isOpen} and kind = 'webhook'`
export const isGivenUpForWebhook = sql<boolean>`state = 'failed' and kind = 'webhook'`
// A mailbox that is full may have room a few minutes later, and a server that defers unknown senders accepts a later attempt.
const STUCK_AFTER_ATTEMPTS = 4
/** Whether an answer that has failed this often, for this reason, is stuck: one person's trouble, which its lead shows. */
export const isStuck = (attempts: number, cause: FailureCause): boolean =>
  attempts >= STUCK_AFTER_ATTEMPTS && cause !== 'server'
const isStuckAnswer = sql<boolean>`kind = 'answer' and state in ('queued', 'sending')
  and attempts >= ${sql.lit(STUCK_AFTER_ATTEMPTS)} and cause <> 'server'`
/** For queries of `leads`: since when an answer to the person's present address has been stuck, or null. */
export const answerStuckSince = sql<string | null>`(select min(queued_at) from outbox
  where lead_id = leads.id and recipient = leads.email and ${isStuckAnswer})`

/** Matches receipts to mailboxes that don't exist. `state = 'failed'` lets SQLite use the index `outbox_failed`. */
export const isBounced = sql<boolean>`state = 'failed' and kind = 'visitor_receipt' and exists
  (select 1 from outbox_attempts where outbox_id = outbox.id and outcome = 'bounced')`

/** For queries of `leads`: whether the receipt of a lead bounced, and nobody has corrected the address since. */
export const hasBouncedReceipt = sql<
  boolean | 0 | 1
>`exists (select 1 from outbox where lead_id = leads.id and recipient = leads.email and ${isBounced})`

// Causes count apart: an email that is refused because of its recipient or its content says nothing about the mail server, and
// must not hide an outage.
const isAboutServer = sql<boolean>`coalesce(cause, 'server') = 'server'`
// A queued email that the mail server has rejected. It counts as stuck before it is late, because somebody has to fix the
// account, the sender, a quota, or an owner's mailbox. But not if the content was refused: it is sent again without that.
const isRejected = sql<boolean>`kind <> 'webhook' and coalesce(cause, 'server') <> 'content' and exists (select 1 from outbox_attempts
  where outbox_id = outbox.id and outcome = 'retry' and smtp_code >= 500 and at >= outbox.queued_at)`

type Stuck = { waiting: number; oldestAt: string | null; givenUp: number }
/**
 * What needs attention. The fields of `Stuck` are about emails to the owner; `waiting` and `oldestAt` cover stuck ones: late,
 * rejected or dated in the future. They leave out those that the mail server refuses because of their recipient or content:
 * `refused` counts these. `webhook` is about leads that are posted to LEAD_WEBHOOK_URL; undefined if it isn't set.
 */
export type Backlog = Stuck & { refused?: number; webhook?: Stuck | undefined }

const emails = { isOpen: sql<boolean>`${isOpenForOwner} and ${isAboutServer}`, isGivenUp }
// Leaves out answers: their leads show that they are stuck.
const isRefused = sql<boolean>`${isOpenForOwner} and kind <> 'answer' and not ${isAboutServer}`
const leads = { isOpen: isOpenForWebhook, isGivenUp: isGivenUpForWebhook }

function findStuck(db: Database, isOpen: RawBuilder<boolean>, waitingSince: Date) {
  const latest = new Date(waitingSince.getTime() + MAIL_PATIENCE_MS + CLOCK_TOLERANCE_MS)
  return db
    .selectFrom('outbox')
    .where(isOpen)
    .where(({ or, eb }) =>
      or([
        eb('queued_at', '<', waitingSince.toISOString()),
        eb('queued_at', '>', latest.toISOString()),
        isRejected,
      ]),
    )
}

export const readBacklog = async (db: Database, waitingSince: Date): Promise<Backlog> => ({
  ...(await count(db, emails, waitingSince)),
  refused: (await countStuck(db, isRefused, waitingSince)).waiting,
  webhook: await readStuckForWebhook(db, waitingSince),
})

/** Counts the leads that couldn't be posted to LEAD_WEBHOOK_URL. Undefined if it isn't set. */
export const readStuckForWebhook = async (db: Database, waitingSince: Date): Promise<Stuck | undefined> =>
  (await isWebhookSet(db)) ? count(db, leads, waitingSince) : undefined

const countStuck = (db: Database, isOpen: RawBuilder<boolean>, waitingSince: Date) =>
  findStuck(db, isOpen, waitingSince)
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('queued_at').as('oldestAt')])
    .executeTakeFirstOrThrow()

async function count(db: Database, kinds: typeof emails, waitingSince: Date): Promise<Stuck> {
  const { givenUp } = await db
    .selectFrom('outbox')
    .select(({ fn }) => fn.countAll<number>().as('givenUp'))
    .where(kinds.isGivenUp)
    .executeTakeFirstOrThrow()
  return { ...(await countStuck(db, kinds.isOpen, waitingSince)), givenUp }
}

type MailHealth = 'ok' | 'waiting' | 'failed' | 'refused'

/**
 * The most urgent problem. An outage comes first: while it lasts, no email goes out, and nothing that failed earlier may hide
 * that.
 */
export async function readMailHealth(db: Database, waitingSince: Date): Promise<MailHealth> {
  // Check the webhook first, because the check of the emails is slow while many leads are stuck.
  const kinds = (await isWebhookSet(db)) ? [leads, emails] : [emails]
  for (const { isOpen } of kinds) if (await oldest(db, isOpen, waitingSince)) return 'waiting'
  for (const { isGivenUp } of kinds)
    if (await db.selectFrom('outbox').select('id').where(isGivenUp).limit(1).executeTakeFirst())
      return 'failed'
  return (await oldestRefused(db, waitingSince)) ? 'refused' : 'ok'
}

/**
 * When the oldest stuck email to the owner was queued. This is fast even with a long backlog, because it reads the
 * emails oldest first and stops at the first stuck one.
 */
export const oldestStuck = (db: Database, waitingSince: Date) => oldest(db, emails.isOpen, waitingSince)

/** The same for emails to owners that are refused because of their recipient or content. */
export const oldestRefused = (db: Database, waitingSince: Date) => oldest(db, isRefused, waitingSince)

async function oldest(db: Database, isOpen: RawBuilder<boolean>, waitingSince: Date) {
  const stuck = findStuck(db, isOpen, waitingSince).select('queued_at').orderBy('queued_at').limit(1)
  return (await stuck.executeTakeFirst())?.queued_at
}
