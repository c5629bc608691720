import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { orAbort, startDeadline } from '../deadline.ts'
import { isToVisitor } from '../mail/is-to-visitor.ts'
import { readSendError, replyCode } from '../mail/send-error.ts'
import type { Job } from './email.ts'
import { LEASE_MS, type OutboxStore } from './outbox-store.ts'
import { delayAfter } from './retry-schedule.ts'

// Longer than the mailer's own deadlines combined, in case a send ignores its signal.
const SEND_DEADLINE_MS = 13 * 60 * 1000
const RENEW_EVERY_MS = 30_000
const RECORD_AGAIN_MS = 1_000

export type Deliver = (job: Job, signal: AbortSignal) => Promise<string>
/** Records the outcome of an attempt. */
export type Record = () => Promise<void>

export type AttemptDeps = {
  outbox: OutboxStore
  /** Sends one email and returns the server's reply. Rejects if that fails or `signal` aborts. */
  deliver: Deliver
  log: Logger
  now: () => Date
  /** 0..1 */
  random: () => number
  /** The mail server is down, or rejected us before the recipient. */
  onServerUnavailable?: () => void
  /** The mail server accepted an email. */
  onServerRecovered?: () => void
}

/** Sends a claimed email, renews its lease meanwhile, and returns a function that records the outcome. `cutOff` aborts. */
export function createAttempt(
  {
    outbox,
    deliver,
    log,
    now,
    random,
    onServerUnavailable = () => {},
    onServerRecovered = () => {},
  }: AttemptDeps,
  cutOff: AbortSignal,
) {
  return async function attempt(job: Job): Promise<Record> {
    const about = { outboxId: job.id, kind: job.kind, attempt: job.attempts }
    const lease = holdLease(job)
    let response: string
    try {
      response = await beforeDeadline(job)
    } catch (error) {
      return () => recordFailure(job, error, about).finally(lease.release)
    }
    log.info(about, 'sent')
    onServerRecovered()
    // Outside the `try`: after a send, a full disk must not cause a retry before the lease ends.
    return () => recordSent(job, response, lease.isOver).finally(lease.release)
  }

  /** Rejects at the deadline whatever `deliver` does: otherwise the lane would hang forever. */
  async function beforeDeadline(job: Job): Promise<string> {
    using deadline = startDeadline(SEND_DEADLINE_MS, 'The send did not end in time.')
    using _following = deadline.follow(cutOff)
    return await orAbort(deliver(job, deadline.signal), deadline.signal)
  }

  function holdLease(job: Job) {
    // On the monotonic clock, which nobody can set.
    let endsAt = performance.now() + LEASE_MS
    const renewing = setInterval(() => {
      const renewedAt = performance.now()
      outbox.renew(job, now()).then(
        () => {
          endsAt = renewedAt + LEASE_MS
        },
        () => {}, // The database is down: the lease keeps its end.
      )
    }, RENEW_EVERY_MS)
    return { isOver: () => performance.now() > endsAt, release: () => clearInterval(renewing) }
  }

  /** Retries until the lease ends: an email that is not recorded as sent is sent again. */
  async function recordSent(job: Job, response: string, isLeaseOver: () => boolean) {
    const reply = { smtpCode: replyCode(response), response }
    for (;;) {
      try {
        return await outbox.recordSent(job, now(), reply)
      } catch (error) {
        if (isLeaseOver() || cutOff.aborted) throw error
        await sleep(RECORD_AGAIN_MS, undefined, { signal: cutOff }).catch(() => {})
      }
    }
  }

  async function recordFailure(job: Job, error: unknown, about: object) {
    if (cutOff.aborted) return outbox.recordInterrupted(job, now())
    const { isFinal, isAboutServer, code, ...reply } = readSendError(error, job.kind)
    if (isAboutServer) onServerUnavailable()
    // The reply may contain an address: it belongs in the delivery log, not in the server's log.
    const facts = { ...about, code, smtpCode: reply.smtpCode }
    const ageMs = now().getTime() - Date.parse(job.queuedAt)
    const delayMs = isFinal ? undefined : delayAfter(job.attempts, ageMs, random())
    if (delayMs !== undefined) {
      await outbox.recordRetry(job, now(), reply, delayMs)
      log.warn({ ...facts, retryInSeconds: Math.round(delayMs / 1000) }, 'not sent')
      return
    }
    await outbox.recordFailed(job, now(), reply)
    // A visitor's mistyped address is not an error.
    log[isToVisitor(job.kind) ? 'warn' : 'error'](facts, 'given up')
  }
}
