import { type Insertable, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, MailKind, Schema } from '../database/schema.ts'
import type { Write } from '../database/write-together.ts'

/** One mail to one recipient, claimed for one attempt. `attempts` counts this one. */
export type Job = {
  id: number
  kind: MailKind
  /** What it is about: a lead, or facts of its own as JSON. */
  leadId: string | null
  content: string | null
  recipient: string
  attempts: number
  messageId: string
}
export type NewMail = Pick<Job, 'kind' | 'recipient' | 'messageId'> & { leadId?: string; content?: string }
/** Alerts have a worker of their own: they must go out where no mail does. */
export type Channel = 'mail' | 'alert'
export type Reply = { smtpCode: number | null; response: string }

/** Mail that waits longer than this is worth waking somebody. */
export const MAIL_PATIENCE_MS = 15 * 60 * 1000
// Longer than the 60 s a send may take, so that a crash needs no clean-up: the claim lapses by itself.
const LEASE_MS = 2 * 60 * 1000
// No due time lies further ahead than the longest retry (2 h + 20 %); one that does was written by a wrong clock.
const FURTHEST_DUE_MS = 3 * 60 * 60 * 1000

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds).toISOString()

/** A mail that a running server has in its hands: claimed, and its lease neither over nor from a wrong clock. */
export const isInHand = (now: Date) =>
  sql<boolean>`outbox.state = 'sending' and outbox.due_at > ${now.toISOString()} and outbox.due_at <= ${later(now, FURTHEST_DUE_MS)}`

// Spelled as in their indices, so that these serve.
const isOpenMail = sql<boolean>`state in ('queued', 'sending') and kind <> 'alert'`
const isOpenForOwner = sql<boolean>`state in ('queued', 'sending') and kind in ('owner_notice', 'digest')`
const isOpenAlert = sql<boolean>`state in ('queued', 'sending') and kind = 'alert'`
// Not a visitor's receipt: an address that does not exist is not for the operator to mend.
const isGivenUp = sql<boolean>`state = 'failed' and kind in ('owner_notice', 'digest')`

/** Mails to the owner that wait for longer than they should, since when, and those given up. */
export type Backlog = { waiting: number; oldestAt: string | null; givenUp: number }

// What the last attempt to mail the owner came to, in the order of the ledger: no clock has a say in it.
const lastOutcome = sql<string | null>`(select outcome from outbox_attempts
  join outbox on outbox.id = outbox_id and kind in ('owner_notice', 'digest')
  where outcome in ('sent', 'retry', 'failed') order by outbox_attempts.rowid desc limit 1)`

const insertMail = prepared(
  (db, mail: Omit<Insertable<Schema['outbox']>, 'id' | 'state' | 'attempts' | 'sent_at'>) =>
    db.insertInto('outbox').values(mail),
)

export type OutboxStore = ReturnType<typeof createOutboxStore>

/** The mails that are still to be sent, and the ledger of every attempt. */
export function createOutboxStore(db: Database, write: Write = (work) => db.transaction().execute(work)) {
  /**
   * Ends an attempt: ledger and new state in one commit; of a mail that was erased meanwhile, nothing is noted. Whose
   * claim has lapsed and was taken over has no say any more, but that the mail is out holds whoever sent it.
   */
  const settle = (
    job: Job,
    at: Date,
    outcome: Schema['outbox_attempts']['outcome'],
    reply: Reply,
    state: { state: 'queued' | 'failed'; due_at: string } | { state: 'sent'; sent_at: string },
  ) =>
    write(async (transaction) => {
      const mail = transaction
        .updateTable('outbox')
        .set(state)
        .where('id', '=', job.id)
        .$if(state.state !== 'sent', (row) =>
          row.where('state', '=', 'sending').where('attempts', '=', job.attempts),
        )
      if ((await mail.executeTakeFirst()).numUpdatedRows === 0n) return
      await transaction
        .insertInto('outbox_attempts')
        .values({
          outbox_id: job.id,
          at: at.toISOString(),
          outcome,
          smtp_code: reply.smtpCode,
          // PostgreSQL takes no NUL in a text, and a mail server may send one.
          response: reply.response.replaceAll('\0', '\ufffd'),
        })
        .execute()
    })

  const waitingBefore = (time: Date) =>
    db.selectFrom('outbox').where(isOpenForOwner).where('queued_at', '<', time.toISOString())

  return {
    async enqueue(mails: readonly NewMail[], dueAt: Date): Promise<void> {
      const at = dueAt.toISOString()
      for (const { leadId = null, content = null, kind, recipient, messageId } of mails)
        await insertMail(db, {
          lead_id: leadId,
          content,
          kind,
          recipient,
          message_id: messageId,
          queued_at: at,
          due_at: at,
        })
    },

    /** Takes back what was not told yet of these events: who hears of it only now hears it after its end. */
    withdrawAlerts(events: readonly string[]) {
      return db
        .deleteFrom('outbox')
        .where(isOpenAlert)
        .where(sql`content ->> 'event'`, 'in', events)
        .execute()
    },

    /** Takes the mail that is due first, counts the attempt and leases it, in one statement. */
    claimNext(now: Date, channel: Channel = 'mail'): Promise<Job | undefined> {
      return write((transaction) =>
        transaction
          .updateTable('outbox')
          .set({ state: 'sending', attempts: sql`attempts + 1`, due_at: later(now, LEASE_MS) })
          .where('id', '=', ({ fn, selectFrom }) => {
            const open = selectFrom('outbox')
              .select('id')
              .where(channel === 'mail' ? isOpenMail : isOpenAlert)
              .limit(1)
              // What another copy is just claiming is not waited for.
              .$if(isShared(db), (row) => row.forUpdate().skipLocked())
            // Two looks at the ends of the index: one with an `or` would read all that waits in between.
            return fn.coalesce(
              open.where('due_at', '<=', now.toISOString()).orderBy('due_at'),
              open.where('due_at', '>', later(now, FURTHEST_DUE_MS)).orderBy('due_at', 'desc'),
            )
          })
          .returning([
            'id',
            'lead_id as leadId',
            'content',
            'kind',
            'recipient',
            'attempts',
            'message_id as messageId',
          ])
          .executeTakeFirst(),
      )
    },

    /** Whether this address, in whatever letters, was or will be sent a receipt that was queued after that time. */
    async hasReceiptSince(address: string, since: Date): Promise<boolean> {
      const receipt = await db
        .selectFrom('outbox')
        .select('id')
        .where(sql<boolean>`kind = 'visitor_receipt' and lower(recipient) = lower(${address})`)
        .where('queued_at', '>', since.toISOString())
        .limit(1)
        .executeTakeFirst()
      return receipt !== undefined
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

    /**
     * At start: what a killed process had in hand is due at once, for this process is the only one. Where it is not,
     * the claim may be another copy's, and lapses by itself.
     */
    async releaseAll(now: Date, channel: Channel = 'mail'): Promise<void> {
      if (isShared(db)) return
      await db
        .updateTable('outbox')
        .set({ state: 'queued', due_at: now.toISOString() })
        .where('state', '=', 'sending')
        .where('kind', channel === 'mail' ? '<>' : '=', 'alert')
        .execute()
    },

    /** At start: what still is to go to a mailbox that is no longer the owner's goes to the first that is. */
    async readdress(mailTo: readonly string[]): Promise<void> {
      for (const isUnsent of [isOpenMail, isGivenUp])
        await db
          .updateTable('outbox')
          .set({ recipient: String(mailTo[0]) })
          .where(isUnsent)
          .where('kind', 'in', ['owner_notice', 'digest'])
          .where('recipient', 'not in', mailTo)
          .execute()
    },

    /**
     * Puts mails back in the queue, due now and with the whole schedule before them, and returns how many. Of one lead:
     * the notices to the owner, and whatever was given up; `onlyFailed`: only the latter. Without a lead: what was
     * given up of the mails to the owner, for a visitor's receipt of last month would only confuse.
     */
    requeue({ leadId, onlyFailed }: { leadId?: string; onlyFailed: boolean }, now: Date): Promise<number> {
      const which = onlyFailed
        ? sql<boolean>`state = 'failed'`
        : sql<boolean>`(state = 'failed' or (state in ('queued', 'sent') and kind = 'owner_notice'))`
      return write(async (transaction) => {
        const all = transaction.selectFrom('outbox')
        const mails = leadId ? all.where(which).where('lead_id', '=', leadId) : all.where(isGivenUp)
        const at = now.toISOString()
        // So that none of them is claimed in between.
        if (isShared(db)) await mails.select('id').forUpdate().execute()
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
          .set({ state: 'queued', attempts: 0, queued_at: at, due_at: at, sent_at: null })
          .where('id', 'in', mails.select('id'))
          .executeTakeFirst()
        return Number(numUpdatedRows)
      })
    },

    /** Whether a mail was given up on, or has been waiting since before the given time; receipts do not count. */
    async condition(waitingSince: Date): Promise<'ok' | 'waiting' | 'failed'> {
      const failed = await db.selectFrom('outbox').select('id').where(isGivenUp).limit(1).executeTakeFirst()
      if (failed) return 'failed'
      const waiting = await waitingBefore(waitingSince).select('id').limit(1).executeTakeFirst()
      return waiting ? 'waiting' : 'ok'
    },

    /** Whether the last mail to the owner that was tried has left. */
    async isFlowing(): Promise<boolean> {
      const { outcome } = await db.selectNoFrom(lastOutcome.as('outcome')).executeTakeFirstOrThrow()
      return outcome === 'sent'
    },

    /** `condition` in numbers, and since when the oldest has been waiting. */
    async backlog(waitingSince: Date): Promise<Backlog> {
      const waiting = await waitingBefore(waitingSince)
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('queued_at').as('oldest')])
        .executeTakeFirstOrThrow()
      const { givenUp } = await db
        .selectFrom('outbox')
        .select(({ fn }) => fn.countAll<number>().as('givenUp'))
        .where(isGivenUp)
        .executeTakeFirstOrThrow()
      return { waiting: waiting.count, oldestAt: waiting.oldest, givenUp }
    },
  }
}
