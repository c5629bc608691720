import { type Insertable, type QueryResult, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import type { Write } from '../database/group-commit.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, EmailState, Schema } from '../database/schema.ts'
import { isToVisitor } from '../mail/is-to-visitor.ts'
import { type Job, priorities, type Reply } from './email.ts'

/** How long a claim lasts; a worker that is still sending renews it. */
export const LEASE_MS = 2 * 60 * 1000
// The longest retry is 2 h + 20 %: a due time further ahead comes from a wrong clock.
const MAX_DUE_AHEAD_MS = 3 * 60 * 60 * 1000
const MAX_RESPONSE_LENGTH = 2_000

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds).toISOString()

/** An email that a running server is sending: its lease has not ended and is not from a wrong clock. */
export const isLeased = (now: Date) =>
  sql<boolean>`outbox.state = 'sending' and outbox.due_at > ${now.toISOString()} and outbox.due_at <= ${later(now, MAX_DUE_AHEAD_MS)}`

// Must match the index expression.
const isOpen = sql<boolean>`state in ('queued', 'sending')`

const { owner, suspect, visitor } = priorities
/** Which emails a lane sends, and whether the oldest or newest due one goes first. */
const laneRules = {
  newest: { order: 'desc', takes: [owner, suspect] },
  oldest: { order: 'asc', takes: [owner, suspect] },
  visitor: { order: 'asc', takes: [visitor] },
} as const

/**
 * Lanes send in parallel: `newest` so that a new lead never waits behind a backlog, `oldest` so that the backlog shrinks,
 * `visitor` so that receipts never block the owner's emails.
 */
export type Lane = keyof typeof laneRules

type Times = { now: string; leaseEnd: string; furthest: string }

/** Claims the next due email of a lane. If there is none, claims one whose due time comes from a wrong clock. */
const claimFor = ({ order, takes }: (typeof laneRules)[Lane]) =>
  prepared((db, { now, leaseEnd, furthest }: Times) =>
    db
      .updateTable('outbox')
      .set({ state: 'sending', attempts: sql`attempts + 1`, due_at: leaseEnd })
      .where('id', '=', ({ fn, selectFrom }) => {
        const open = (priority: number) =>
          selectFrom('outbox')
            .select('id')
            .where(isOpen)
            .where('priority', '=', priority)
            // Queued by older replicas, which post alerts themselves.
            .where(sql<boolean>`kind <> 'alert'`)
            .limit(1)
            // Skips emails that another replica is claiming.
            .$if(isShared(db), (row) => row.forUpdate().skipLocked())
        const due = takes.map((priority) =>
          open(priority).where('due_at', '<=', now).orderBy('due_at', order),
        )
        const misdated = takes.map((priority) =>
          open(priority).where('due_at', '>', furthest).orderBy('due_at', 'desc'),
        )
        // One index range for each: a single query with `or` would read everything in between.
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
      ]),
  )

const claimOne = {
  newest: claimFor(laneRules.newest),
  oldest: claimFor(laneRules.oldest),
  visitor: claimFor(laneRules.visitor),
}

const setRecipient = prepared((db, { id, recipient }: Pick<Job, 'id' | 'recipient'>) =>
  db.updateTable('outbox').set({ recipient }).where('id', '=', id),
)

const insertAttempt = prepared((db, attempt: Omit<Insertable<Schema['outbox_attempts']>, 'rowid'>) =>
  db.insertInto('outbox_attempts').values(attempt),
)

type Sent = Pick<Job, 'id' | 'messageId'> & { sentAt: string }
type ClaimEnd = Pick<Job, 'id' | 'messageId' | 'attempts'> & {
  state: EmailState
  dueAt: string
  /** The new number of attempts. */
  counted: number
}

// Also matches the Message-ID: SQLite reuses ids of erased rows.
const markSent = prepared((db, { id, messageId, sentAt }: Sent) =>
  db
    .updateTable('outbox')
    .set({ state: 'sent', sent_at: sentAt })
    .where('id', '=', id)
    .where('message_id', '=', messageId),
)

const endClaim = prepared((db, { id, messageId, attempts, state, dueAt, counted }: ClaimEnd) =>
  db
    .updateTable('outbox')
    .set({ state, due_at: dueAt, attempts: counted })
    .where('id', '=', id)
    .where('message_id', '=', messageId)
    .where('state', '=', 'sending')
    .where('attempts', '=', attempts),
)

export type OutboxStore = ReturnType<typeof createOutboxStore>

/** What else to write in the transaction that records an email as given up. */
type OnGivenUp = (transaction: Database, job: Job, reply: Reply, at: Date) => Promise<void>

/** The queue of emails and the delivery log. Emails to the owner go to `mailTo`. */
export function createOutboxStore(
  db: Database,
  write: Write,
  mailTo: readonly string[],
  onGivenUp: OnGivenUp = async () => {},
) {
  /** The owner may have changed since an email was queued. The delivery log keeps the former address. */
  async function readdress(transaction: Database, job: Job, now: Date): Promise<Job> {
    const [recipient = job.recipient] = mailTo
    if (isToVisitor(job.kind) || mailTo.includes(job.recipient)) return job
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

  /**
   * Ends an attempt: delivery log entry and new state in one commit. Writes nothing for an erased email. After losing its
   * lease, a worker may only record `sent`.
   */
  const settle = (
    job: Job,
    at: Date,
    outcome: Schema['outbox_attempts']['outcome'],
    reply: Reply,
    update: (db: Database) => Promise<QueryResult<unknown>>,
    alsoWrite: (db: Database) => Promise<void> = async () => {},
  ) =>
    write(async (transaction) => {
      const { numAffectedRows } = await update(transaction)
      if (numAffectedRows === 0n) return
      await insertAttempt(transaction, {
        outbox_id: job.id,
        at: at.toISOString(),
        outcome,
        smtp_code: reply.smtpCode,
        // A mail server may send NUL, which PostgreSQL does not accept in text.
        response: reply.response.slice(0, MAX_RESPONSE_LENGTH).replaceAll('\0', '\ufffd'),
      })
      await alsoWrite(transaction)
    })

  return {
    /** Claims a due email: counts the attempt and starts a lease. */
    async claimNext(now: Date, lane: Lane = 'oldest'): Promise<Job | undefined> {
      const times = {
        now: now.toISOString(),
        leaseEnd: later(now, LEASE_MS),
        furthest: later(now, MAX_DUE_AHEAD_MS),
      }
      return write(async (transaction) => {
        const [job] = (await claimOne[lane](transaction, times)).rows
        return job && readdress(transaction, job, now)
      })
    },

    /** Extends the lease of an email that is still being sent. */
    renew: (job: Job, now: Date) =>
      write((transaction) =>
        endClaim(transaction, {
          ...job,
          state: 'sending',
          dueAt: later(now, LEASE_MS),
          counted: job.attempts,
        }),
      ),

    recordSent: (job: Job, at: Date, reply: Reply) =>
      settle(job, at, 'sent', reply, (transaction) =>
        markSent(transaction, { ...job, sentAt: at.toISOString() }),
      ),

    recordRetry: (job: Job, at: Date, reply: Reply, delayMs: number) =>
      settle(job, at, 'retry', reply, (transaction) =>
        endClaim(transaction, { ...job, state: 'queued', dueAt: later(at, delayMs), counted: job.attempts }),
      ),

    recordFailed: (job: Job, at: Date, reply: Reply) =>
      settle(
        job,
        at,
        reply.isBounce ? 'bounced' : 'failed',
        reply,
        (transaction) =>
          endClaim(transaction, { ...job, state: 'failed', dueAt: at.toISOString(), counted: job.attempts }),
        (transaction) => onGivenUp(transaction, job, reply, at),
      ),

    /** Our own shutdown aborted the attempt: it does not count, and the email is due at once. */
    recordInterrupted(job: Job, at: Date) {
      const reply = { smtpCode: null, response: 'stopped before the mail server answered' }
      return settle(job, at, 'interrupted', reply, (transaction) =>
        endClaim(transaction, {
          ...job,
          state: 'queued',
          dueAt: at.toISOString(),
          counted: job.attempts - 1,
        }),
      )
    },

    /**
     * At startup: emails that a killed process was sending are due at once, and that attempt does not count. On PostgreSQL the
     * claim may belong to another replica, so its lease has to end first.
     */
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
