import { type Insertable, type QueryResult, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import type { Write } from '../database/group-commit.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, EmailState, Schema } from '../database/schema.ts'
import { isToVisitor } from '../mail/is-to-visitor.ts'
import { type Job, LISTED, priorities, type Reply } from './email.ts'
import { awaitList } from './enqueue.ts'

/** How long a claim lasts; a worker that is still sending renews it. */
export const LEASE_MS = 2 * 60 * 1000
// A due time further ahead than this comes from a wrong clock: the longest retry delay is 2 h + 20%.
const MAX_DUE_AHEAD_MS = 3 * 60 * 60 * 1000
const MAX_RESPONSE_LENGTH = 2_000
const SOON_MS = 60_000
// At startup, the server sets timers for at most this many due times; polling finds the other emails.
const MAX_DUE_SOON = 100

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds).toISOString()

/** Whether a running server is sending an email: its lease hasn't ended and doesn't come from a wrong clock. */
export const isLeased = (now: Date) =>
  sql<boolean>`outbox.state = 'sending' and outbox.due_at > ${now.toISOString()} and outbox.due_at <= ${later(now, MAX_DUE_AHEAD_MS)}`

// This must be the condition of the index `outbox_open`: otherwise, SQLite doesn't use the index.
const isOpen = sql<boolean>`state in ('queued', 'sending')`

const { urgent, notice, suspect, visitor, webhook, signIn } = priorities
/** The priorities that each kind of lane sends, first to last, and whether the oldest or the newest due email goes first. */
const laneRules = {
  signIn: { order: 'desc', takes: [signIn] },
  newest: { order: 'desc', takes: [signIn, urgent, notice, suspect] },
  oldest: { order: 'asc', takes: [signIn, urgent, notice, suspect] },
  visitor: { order: 'asc', takes: [visitor] },
  webhook: { order: 'asc', takes: [webhook] },
  newestPost: { order: 'desc', takes: [webhook] },
} as const

/**
 * A kind of lane. Lanes are loops that claim and send emails. They run in parallel, so that no backlog, receipt or webhook
 * delays the notice of a new lead, and none of these delays a sign-in code.
 */
export type Lane = keyof typeof laneRules

type Times = { now: string; leaseEnd: string; latest: string }

/** Claims the next due email of a lane. If there is none, claims an email that a wrong clock dated too far ahead. */
const claimFor = ({ order, takes }: (typeof laneRules)[Lane]) =>
  prepared((db, { now, leaseEnd, latest }: Times) =>
    db
      .updateTable('outbox')
      .set({ state: 'sending', attempts: sql`attempts + 1`, due_at: leaseEnd })
      .where('id', '=', ({ fn, selectFrom }) => {
        const open = (priority: number) =>
          selectFrom('outbox')
            .select('id')
            .where(isOpen)
            .where('priority', '=', priority)
            .limit(1)
            // Skips emails that another replica is claiming.
            .forUpdate()
            .skipLocked()
        const due = takes.map((priority) =>
          open(priority).where('due_at', '<=', now).orderBy('due_at', order),
        )
        const misdated = takes.map((priority) =>
          open(priority).where('due_at', '>', latest).orderBy('due_at', 'desc'),
        )
        // One subquery per index range: a single query with `or` would read everything in between.
        return fn.coalesce(...([...due, ...misdated] as [(typeof due)[number]]))
      })
      .returning([
        'id',
        'lead_id as leadId',
        'content',
        'kind',
        'recipient',
        'attempts',
        'queued_at as queuedAt',
        'message_id as messageId',
        'cause',
      ]),
  )

const claimOne = {
  signIn: claimFor(laneRules.signIn),
  newest: claimFor(laneRules.newest),
  oldest: claimFor(laneRules.oldest),
  visitor: claimFor(laneRules.visitor),
  webhook: claimFor(laneRules.webhook),
  newestPost: claimFor(laneRules.newestPost),
}

const setRecipient = prepared((db, { id, recipient }: Pick<Job, 'id' | 'recipient'>) =>
  db.updateTable('outbox').set({ recipient }).where('id', '=', id),
)

const insertAttempt = prepared((db, attempt: Omit<Insertable<Schema['outbox_attempts']>, 'rowid'>) =>
  db.insertInto('outbox_attempts').values(attempt),
)

// The statements below also match the Message-ID, because SQLite reuses the ids of erased rows.
const markSent = prepared(
  (db, { id, messageId, sentAt }: Pick<Job, 'id' | 'messageId'> & { sentAt: string }) =>
    db
      .updateTable('outbox')
      .set({ state: 'sent', sent_at: sentAt })
      .where('id', '=', id)
      .where('message_id', '=', messageId),
)

type ClaimUpdate = Pick<Job, 'id' | 'messageId' | 'attempts' | 'cause'> & {
  state: EmailState
  dueAt: string
  newAttempts: number
}

const setClaim = prepared((db, { id, messageId, attempts, cause, state, dueAt, newAttempts }: ClaimUpdate) =>
  db
    .updateTable('outbox')
    .set({ state, due_at: dueAt, attempts: newAttempts, cause })
    .where('id', '=', id)
    .where('message_id', '=', messageId)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempts),
)

/** Updates a claimed email, unless the worker has lost its lease. */
const updateClaim =
  (job: Job, state: EmailState, dueAt: string, newAttempts = job.attempts) =>
  (db: Database) =>
    setClaim(db, { ...job, state, dueAt, newAttempts })
const deleteEmail = prepared((db, { id, messageId }: Pick<Job, 'id' | 'messageId'>) =>
  db.deleteFrom('outbox').where('id', '=', id).where('message_id', '=', messageId),
)

const deleteClaim = prepared((db, { id, messageId, attempts }: Pick<Job, 'id' | 'messageId' | 'attempts'>) =>
  db
    .deleteFrom('outbox')
    .where('id', '=', id)
    .where('message_id', '=', messageId)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempts),
)

const triedAgain: Schema['outbox_attempts']['outcome'][] = ['retry', 'interrupted']

export type OutboxStore = ReturnType<typeof createOutboxStore>

/** Called in the transaction that records that an email has failed, for example to reopen its lead. */
type OnFailure = (
  transaction: Database,
  job: Job,
  failure: { reply: Reply; at: Date; willRetry: boolean },
) => Promise<void>

/**
 * The queue of emails and webhook posts, and the delivery log. Emails to the owner go to `mailTo`, posts to `webhookHost`.
 */
export function createOutboxStore(
  db: Database,
  write: Write,
  mailTo: readonly string[],
  onFailure: OnFailure = async () => {},
  webhookHost?: string,
) {
  /**
   * Replaces the recipient of an email to the owner, or of a post, if the settings have changed. Records the old
   * recipient in the delivery log.
   */
  async function readdress(transaction: Database, job: Job, now: Date): Promise<Job> {
    const recipients = job.kind === 'webhook' ? [webhookHost ?? job.recipient] : mailTo
    const [recipient = job.recipient] = recipients
    // A sign-in code is only for the owner who asked for it.
    const isPersonal = isToVisitor(job.kind) || job.kind === 'sign_in'
    if (isPersonal || recipients.includes(job.recipient)) return job
    await setRecipient(transaction, { id: job.id, recipient })
    await insertAttempt(transaction, {
      outbox_id: job.id,
      at: now.toISOString(),
      outcome: 'readdressed',
      smtp_code: null,
      response: job.recipient,
    })
    return { ...job, recipient }
  }

  /** Writes the new state and a delivery log entry. After losing its lease, a worker may only record `sent`. */
  const endAttempt = (
    job: Job,
    at: Date,
    outcome: Schema['outbox_attempts']['outcome'],
    reply: Reply,
    update: (db: Database) => Promise<QueryResult<unknown>>,
  ) =>
    write(async (transaction) => {
      const { numAffectedRows } = await update(transaction)
      if (numAffectedRows === 0n) return
      // Deletes a sign-in email after its last attempt, because its code must not end up in a backup.
      if (job.kind === 'sign_in' && !triedAgain.includes(outcome))
        return void (await deleteEmail(transaction, job))
      await insertAttempt(transaction, {
        outbox_id: job.id,
        at: at.toISOString(),
        outcome,
        smtp_code: reply.smtpCode,
        // Replaces NUL, because PostgreSQL doesn't accept it in text.
        response: reply.response.slice(0, MAX_RESPONSE_LENGTH).replaceAll('\0', '\ufffd'),
      })
      const willRetry = outcome === 'retry'
      if (willRetry || outcome === 'failed' || outcome === 'bounced')
        await onFailure(transaction, job, { reply, at, willRetry })
    })

  return {
    /** Claims a due email. This counts as an attempt and starts a lease. */
    async claimNext(now: Date, lane: Lane = 'oldest'): Promise<Job | undefined> {
      const times = {
        now: now.toISOString(),
        leaseEnd: later(now, LEASE_MS),
        latest: later(now, MAX_DUE_AHEAD_MS),
      }
      return write(async (transaction) => {
        const [job] = (await claimOne[lane](transaction, times)).rows
        return job && readdress(transaction, job, now)
      })
    },

    /** Extends the lease of an email that is still being sent. */
    renew: (job: Job, now: Date) => write(updateClaim(job, 'sending', later(now, LEASE_MS))),

    recordSent: (job: Job, at: Date, reply: Reply) =>
      endAttempt(job, at, 'sent', reply, (transaction) =>
        markSent(transaction, { ...job, sentAt: at.toISOString() }),
      ),

    recordRetry: (job: Job, at: Date, reply: Reply, delayMs: number) =>
      endAttempt(
        job,
        at,
        'retry',
        reply,
        updateClaim({ ...job, cause: reply.cause ?? 'server' }, 'queued', later(at, delayMs)),
      ),

    /**
     * Records that a list of several leads replaces this email, and makes the list name its lead. The email counts as
     * sent, but has no `sent_at`, so it uses up nothing of the mail budget.
     */
    recordListed: (job: Job, at: Date) =>
      endAttempt(job, at, 'sent', LISTED, async (transaction) => {
        const updated = await updateClaim(job, 'sent', at.toISOString())(transaction)
        if (updated.numAffectedRows !== 0n && job.leadId) await awaitList(transaction, [job.leadId])
        return updated
      }),

    recordFailed: (job: Job, at: Date, reply: Reply) =>
      endAttempt(
        job,
        at,
        reply.isBounce ? 'bounced' : 'failed',
        reply,
        updateClaim(job, 'failed', at.toISOString()),
      ),

    /** Deletes a claimed email that nobody needs anymore, unless the worker has lost its lease. */
    withdraw: (job: Job) => write(async (transaction) => void (await deleteClaim(transaction, job))),

    /** Records that our shutdown aborted the attempt: it doesn't count, and the email is due immediately. */
    recordInterrupted(job: Job, at: Date) {
      const reply = { smtpCode: null, response: 'the server stopped before it got a reply' }
      const update = updateClaim(job, 'queued', at.toISOString(), job.attempts - 1)
      return endAttempt(job, at, 'interrupted', reply, update)
    },

    /** The times in the next minute at which retries, and answers that can still be undone, become due. */
    async dueSoon(now: Date): Promise<Date[]> {
      const rows = await db
        .selectFrom('outbox')
        .select('due_at')
        .distinct()
        .where(isOpen)
        .where('priority', 'in', [urgent, notice])
        .where('due_at', '>', now.toISOString())
        .where('due_at', '<=', later(now, SOON_MS))
        .orderBy('due_at')
        .limit(MAX_DUE_SOON)
        .execute()
      return rows.map(({ due_at }) => new Date(due_at))
    },

    /** Makes all queued posts to the webhook due immediately, in the order in which they were queued. */
    retryPosts: (now: Date) =>
      write((transaction) =>
        transaction
          .updateTable('outbox')
          .set({ due_at: sql`queued_at` })
          .where(isOpen)
          .where('priority', '=', webhook)
          .where('state', '=', 'queued')
          .where('due_at', '>', now.toISOString())
          .execute(),
      ),

    /** Releases emails that a killed process was sending. Not on PostgreSQL, where another replica may be sending them. */
    async releaseAll(now: Date): Promise<void> {
      if (isShared(db)) return
      await db
        .updateTable('outbox')
        .set({ state: 'queued', due_at: now.toISOString(), attempts: sql`max(attempts - 1, 0)` })
        .where('state', '=', 'sending')
        .execute()
    },
  }
}
