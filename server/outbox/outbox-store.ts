import { sql } from 'kysely'
import type { Database, MailKind, Schema } from '../database/schema.ts'

/** One mail to one recipient, claimed for one attempt. `attempts` counts this one. */
export type Job = {
  id: number
  leadId: string
  kind: MailKind
  recipient: string
  attempts: number
  messageId: string
}
export type NewMail = Pick<Job, 'leadId' | 'kind' | 'recipient' | 'messageId'>
export type Reply = { smtpCode: number | null; response: string }

// Longer than the 60 s a send may take, so that a crash needs no clean-up: the claim lapses by itself.
const LEASE_MS = 2 * 60 * 1000
// No due time lies further ahead than the longest retry (2 h + 20 %); one that does was written by a wrong clock.
const FURTHEST_DUE_MS = 3 * 60 * 60 * 1000

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds).toISOString()

/** A mail that a running server has in its hands: claimed, and its lease neither over nor from a wrong clock. */
export const isInHand = (now: Date) =>
  sql<boolean>`outbox.state = 'sending' and outbox.due_at > ${now.toISOString()} and outbox.due_at <= ${later(now, FURTHEST_DUE_MS)}`

export type OutboxStore = ReturnType<typeof createOutboxStore>

/** The mails that are still to be sent, and the ledger of every attempt. */
export function createOutboxStore(db: Database) {
  /** Ends an attempt: ledger and new state in one commit; of a mail that was erased meanwhile, nothing is noted. */
  const settle = (
    job: Job,
    at: Date,
    outcome: Schema['outbox_attempts']['outcome'],
    reply: Reply,
    state: { state: 'queued' | 'failed'; due_at: string } | { state: 'sent'; sent_at: string },
  ) =>
    db.transaction().execute(async (transaction) => {
      const mail = transaction.updateTable('outbox').set(state).where('id', '=', job.id)
      if ((await mail.executeTakeFirst()).numUpdatedRows === 0n) return
      await transaction
        .insertInto('outbox_attempts')
        .values({
          outbox_id: job.id,
          at: at.toISOString(),
          outcome,
          smtp_code: reply.smtpCode,
          response: reply.response,
        })
        .execute()
    })

  return {
    enqueue(mails: readonly NewMail[], dueAt: Date) {
      const rows = mails.map(({ leadId, kind, recipient, messageId }) => ({
        lead_id: leadId,
        kind,
        recipient,
        message_id: messageId,
        due_at: dueAt.toISOString(),
      }))
      return db.insertInto('outbox').values(rows).execute()
    },

    /** Takes the mail that is due first, counts the attempt and leases it, in one statement. */
    claimNext(now: Date): Promise<Job | undefined> {
      return db
        .updateTable('outbox')
        .set({ state: 'sending', attempts: sql`attempts + 1`, due_at: later(now, LEASE_MS) })
        .where('id', '=', (outbox) =>
          outbox
            .selectFrom('outbox')
            .select('id')
            // Spelled out, so that SQLite sees that the index of open mails serves it.
            .where(sql<boolean>`state in ('queued', 'sending')`)
            .where((row) =>
              row.or([
                row('due_at', '<=', now.toISOString()),
                row('due_at', '>', later(now, FURTHEST_DUE_MS)),
              ]),
            )
            .orderBy('due_at')
            .limit(1),
        )
        .returning(['id', 'lead_id as leadId', 'kind', 'recipient', 'attempts', 'message_id as messageId'])
        .executeTakeFirst()
    },

    recordSent: (job: Job, at: Date, reply: Reply) =>
      settle(job, at, 'sent', reply, { state: 'sent', sent_at: at.toISOString() }),

    recordRetry: (job: Job, at: Date, reply: Reply, delayMs: number) =>
      settle(job, at, 'retry', reply, { state: 'queued', due_at: later(at, delayMs) }),

    recordFailed: (job: Job, at: Date, reply: Reply) =>
      settle(job, at, 'failed', reply, { state: 'failed', due_at: at.toISOString() }),

    /** The attempt was cut off by our own stop: due again at once. */
    recordInterrupted: (job: Job, at: Date) =>
      settle(
        job,
        at,
        'interrupted',
        { smtpCode: null, response: 'stopped before the mail server answered' },
        {
          state: 'queued',
          due_at: at.toISOString(),
        },
      ),

    /** At start: what a killed process had in hand is due at once, for this process is the only one. */
    releaseAll(now: Date) {
      return db
        .updateTable('outbox')
        .set({ state: 'queued', due_at: now.toISOString() })
        .where('state', '=', 'sending')
        .execute()
    },

    /**
     * Puts mails back in the queue, due now and with the whole schedule before them, and returns how many. Of one lead:
     * the notices to the owner, and whatever was given up; without a lead, or `onlyFailed`: only what was given up.
     */
    requeue({ leadId, onlyFailed }: { leadId?: string; onlyFailed: boolean }, now: Date): Promise<number> {
      const due = leadId && !onlyFailed
      const which = due
        ? sql<boolean>`state = 'failed' or (state in ('queued', 'sent') and kind = 'owner_notice')`
        : sql<boolean>`state = 'failed'`
      return db.transaction().execute(async (transaction) => {
        const ids = transaction.selectFrom('outbox').where(which)
        const mails = leadId ? ids.where('lead_id', '=', leadId) : ids
        const at = now.toISOString()
        await transaction
          .insertInto('outbox_attempts')
          .columns(['outbox_id', 'at', 'outcome', 'response'])
          .expression(
            mails.select(({ val }) => [
              'id',
              val(at).as('at'),
              val('requeued' as const).as('outcome'),
              val('').as('response'),
            ]),
          )
          .execute()
        const { numUpdatedRows } = await transaction
          .updateTable('outbox')
          .set({ state: 'queued', attempts: 0, due_at: at, sent_at: null })
          .where('id', 'in', mails.select('id'))
          .executeTakeFirst()
        return Number(numUpdatedRows)
      })
    },

    /** Whether a mail was given up on, or has been waiting since before the given time. */
    async condition(waitingSince: Date): Promise<'ok' | 'waiting' | 'failed'> {
      const failed = await db
        .selectFrom('outbox')
        .select('id')
        .where(sql<boolean>`state = 'failed'`)
        .limit(1)
        .executeTakeFirst()
      if (failed) return 'failed'
      const waiting = await db
        .selectFrom('outbox')
        .innerJoin('leads', 'leads.id', 'outbox.lead_id')
        .select('outbox.id')
        .where(sql<boolean>`state in ('queued', 'sending')`)
        .where('leads.created_at', '<', waitingSince.toISOString())
        .limit(1)
        .executeTakeFirst()
      return waiting ? 'waiting' : 'ok'
    },
  }
}
