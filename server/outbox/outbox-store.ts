import { sql } from 'kysely'
import type { Write } from '../database/group-commit.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, EmailState, Schema } from '../database/schema.ts'
import { isShared } from '../database/shared-database.ts'
import { type Email, priorities, type ServerReply } from './email.ts'

/** How long a claim lasts: longer than an attempt, which ends at its deadline. */
const LEASE_MS = 7 * 60 * 1000
// A due time further ahead than this comes from a wrong clock: the longest retry delay is 2 h +
// 20%.
const MAX_DUE_AHEAD_MS = 3 * 60 * 60 * 1000
const MAX_RESPONSE_LENGTH = 2_000

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds).toISOString()

// This must be the condition of the index `outbox_open`: otherwise, SQLite doesn't use the index.
const isOpen = sql<boolean>`state in ('queued', 'sending')`

type Outcome = Schema['outbox_attempts']['outcome']

const states = {
  sent: 'sent',
  file: 'file',
  listed: 'listed',
  retry: 'queued',
  failed: 'failed',
  bounced: 'failed',
} as const satisfies Record<Outcome, EmailState>

type Claim = { now: string; leaseEnd: string; latest: string; first: number; lowest: number; own: string }

export type Failure = { reply: ServerReply; at: Date; outcome: Outcome }

/**
 * Called in the transaction that records that an email has failed, for example to reopen its lead.
 */
type OnFailure = (transaction: Database, email: Email, failure: Failure) => Promise<void>

type Deps = {
  db: Database
  write: Write
  onFailure?: OnFailure
}

export type OutboxStore = ReturnType<typeof createOutboxStore>

/**
 * The emails and webhook requests that wait, are being sent or were sent, and the log of all
 * attempts.
 */
export function createOutboxStore({ db, write, onFailure = async () => {} }: Deps) {
  const isAnyDue = prepared((db, claim: Claim) => selectNext(db, claim))
  const claimNext = prepared((db, claim: Claim) =>
    db
      .updateTable('outbox')
      .set({
        state: 'sending',
        attempts: sql`attempts + 1`,
        due_at: claim.leaseEnd,
      })
      // Skips emails that another replica is claiming.
      .where('id', '=', selectNext(db, claim).forUpdate().skipLocked())
      .returning([
        'id',
        'kind',
        'priority',
        'lead_id as leadId',
        'content',
        'recipient',
        'attempts',
        'queued_at as queuedAt',
        'message_id as messageId',
        'cause',
      ]),
  )

  return {
    /**
     * Claims the most urgent due email, and of these the one that became due last, so that a
     * backlog delays no new email. This counts as an attempt and starts a lease. Leaves out emails
     * of a priority lower than `lowest`; `priorities.webhook` is only for leads. `sending`: what
     * the worker is sending, or can't record yet. The clock may say that its lease has ended.
     */
    async claim(
      now: Date,
      lowest: number = priorities.low,
      sending: readonly Email[] = [],
    ): Promise<Email | undefined> {
      const claim = {
        now: now.toISOString(),
        leaseEnd: later(now, LEASE_MS),
        latest: later(now, MAX_DUE_AHEAD_MS),
        first: lowest === priorities.webhook ? lowest : priorities.urgent,
        lowest,
        // As text, because the list in a prepared query has a fixed length.
        own: `,${sending.map(({ id }) => id)},`,
      }
      // Without this, each poll would take the database's only write lock, or wait for it.
      if ((await isAnyDue(db, claim)).rows.length === 0) return undefined
      return write(async (transaction) => (await claimNext(transaction, claim)).rows[0])
    },

    /**
     * Records the end of an attempt. After losing its lease, a worker may only record that an email
     * was sent. Safe to repeat with the same time. A sign-in email is deleted after its last
     * attempt, because its code must not end up in a backup.
     */
    record: (email: Email, at: Date, outcome: Outcome, reply: ServerReply, delayMs = 0): Promise<void> =>
      write(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable('outbox')
          .set({
            state: states[outcome],
            due_at: later(at, delayMs),
            ...(outcome === 'sent' && { sent_at: at.toISOString() }),
            ...(outcome === 'retry' && { cause: reply.cause ?? 'server' }),
          })
          .where(['sent', 'file'].includes(outcome) ? isSame(email) : isClaim(email))
          .where(sql<boolean>`coalesce(sent_at, '') <> ${at.toISOString()}`)
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return
        if (email.kind === 'sign_in' && states[outcome] !== 'queued')
          return void (await transaction.deleteFrom('outbox').where('id', '=', email.id).execute())
        await transaction
          .insertInto('outbox_attempts')
          .values({
            outbox_id: email.id,
            at: at.toISOString(),
            outcome,
            smtp_code: reply.smtpCode,
            // Replaces NUL, because PostgreSQL doesn't accept it in text.
            response: reply.response.slice(0, MAX_RESPONSE_LENGTH).replaceAll('\0', '\ufffd'),
          })
          .execute()
        // The next list tells the owners about the lead, unless they open it before.
        if (outcome === 'listed' && email.leadId)
          await transaction
            .updateTable('leads')
            .set({ awaits_list: 1, seen_at: null })
            .where('id', '=', email.leadId)
            .execute()
        if (['retry', 'failed', 'bounced'].includes(outcome))
          await onFailure(transaction, email, { reply, at, outcome })
      }),

    /** Deletes a claimed email that nobody needs anymore, unless the worker has lost its lease. */
    withdraw: (email: Email) =>
      write((transaction) => transaction.deleteFrom('outbox').where(isClaim(email)).execute()),

    /**
     * Makes emails due that a killed process was sending. Not on PostgreSQL, where another replica
     * may be sending them.
     */
    async releaseAll(now: Date): Promise<void> {
      if (isShared(db)) return
      await db
        .updateTable('outbox')
        .set({ state: 'queued', due_at: now.toISOString() })
        .where('state', '=', 'sending')
        .execute()
    },
  }
}

const selectNext = (db: Database, { now, latest, first, lowest, own }: Claim) =>
  db
    .selectFrom('outbox')
    .select('id')
    .where(isOpen)
    .where('priority', '>=', first)
    .where('priority', '<=', lowest)
    .where(sql<boolean>`${own} not like '%,' || id || ',%'`)
    // An email that is due after `latest` was dated by a wrong clock.
    .where(({ or, eb }) => or([eb('due_at', '<=', now), eb('due_at', '>', latest)]))
    .orderBy('priority')
    .orderBy('due_at', 'desc')
    .orderBy('id')
    .limit(sql.lit(1))

/**
 * Matches an email's row. After the newest row is deleted, SQLite gives its id to the next one, so
 * the id alone isn't enough.
 */
const isSame = ({ id, messageId }: Email) => sql<boolean>`id = ${id} and message_id = ${messageId}`

/** Matches an email's row unless the worker has lost its lease. */
const isClaim = (email: Email) =>
  sql<boolean>`${isSame(email)} and state = 'sending' and attempts = ${email.attempts}`
