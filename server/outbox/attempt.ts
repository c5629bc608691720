import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { orAbort, startDeadline } from '../deadline.ts'
import { isToVisitor } from '../mail/is-to-visitor.ts'
import { Listed, NotNeeded, readSendError, replyCode } from '../mail/send-error.ts'
import type { Redact } from '../redaction.ts'
import type { Job } from './email.ts'
import { LEASE_MS, type OutboxStore } from './outbox-store.ts'
import { delayAfter } from './retry-schedule.ts'

// Needed only if the mailer misses its own deadlines, so it is longer than those combined.
const SEND_DEADLINE_MS = 13 * 60 * 1000
const RENEW_EVERY_MS = 30_000
const RETRY_RECORDING_MS = 1_000

export type Deliver = (job: Job, signal: AbortSignal) => Promise<string>
export type RecordOutcome = () => Promise<void>

export type AttemptDeps = {
  outbox: OutboxStore
  /** Sends one email and returns the server's reply. Rejects if that fails or `signal` aborts. */
  deliver: Deliver
  log: Logger
  /** Removes secrets from replies: a receiver may quote its URL. */
  redact?: Redact
  now: () => Date
  /** Returns a number between 0 and 1. */
  random: () => number
  /** Called when the next email would fail, too: the server is down, rejects us, or wants us to slow down. */
  onServerUnavailable: () => void
  /** Called when the mail server accepts an email. */
  onServerAvailable: () => void
}

/**
 * Creates a function that sends a claimed email and returns another function, which records the outcome. `shutdown`
 * aborts the send.
 */
export function createAttempt(
  { outbox, deliver, log, redact = String, now, random, onServerUnavailable, onServerAvailable }: AttemptDeps,
  shutdown: AbortSignal,
) {
  return async function attempt(job: Job): Promise<RecordOutcome> {
    const logFields = { outboxId: job.id, kind: job.kind, attempt: job.attempts }
    const lease = keepLease(job)
    let response: string
    try {
      response = await send(job)
    } catch (error) {
      return () => recordFailure(job, error, logFields).finally(lease.release)
    }
    log.info(logFields, 'sent')
    onServerAvailable()
    // Outside the `try`: if a sent email can't be recorded, for example on a full disk, it must not count as not sent.
    return () => recordSent(job, response, lease.isOver).finally(lease.release)
  }

  /** Rejects at the deadline even if `deliver` ignores its signal, so that the worker never waits forever. */
  async function send(job: Job): Promise<string> {
    using deadline = startDeadline(SEND_DEADLINE_MS, 'The send did not end in time.', shutdown)
    return await orAbort(deliver(job, deadline.signal), deadline.signal)
  }

  function keepLease(job: Job) {
    // Measured on the monotonic clock: the system clock may be set back or ahead.
    let endsAt = performance.now() + LEASE_MS
    const timer = setInterval(() => {
      const renewedAt = performance.now()
      outbox.renew(job, now()).then(
        () => {
          endsAt = renewedAt + LEASE_MS
        },
        () => {}, // If the database is down, the lease isn't extended.
      )
    }, RENEW_EVERY_MS)
    return { isOver: () => performance.now() > endsAt, release: () => clearInterval(timer) }
  }

  /** Retries until the lease ends, because an email that isn't recorded as sent will be sent again. */
  async function recordSent(job: Job, response: string, isLeaseOver: () => boolean) {
    const reply = { smtpCode: replyCode(response), response: redact(response) }
    for (;;) {
      try {
        return await outbox.recordSent(job, now(), reply)
      } catch (error) {
        if (isLeaseOver() || shutdown.aborted) throw error
        await sleep(RETRY_RECORDING_MS, undefined, { signal: shutdown }).catch(() => {})
      }
    }
  }

  async function recordFailure(job: Job, error: unknown, logFields: object) {
    if (error instanceof NotNeeded) {
      log.info(logFields, 'not needed anymore')
      return outbox.withdraw(job)
    }
    if (error instanceof Listed) {
      log.info(logFields, 'no room in the mail budget: a list names the lead')
      return outbox.recordListed(job, now())
    }
    if (shutdown.aborted) return outbox.recordInterrupted(job, now())
    const { isFinal, isAboutServer, code, ...failure } = readSendError(error, job.kind, job)
    const reply = { ...failure, response: redact(failure.response) }
    if (isAboutServer) onServerUnavailable()
    // Leaves out the text of the reply, which may contain an address. Only the delivery log gets the text.
    const fields = { ...logFields, code, smtpCode: reply.smtpCode }
    const ageMs = now().getTime() - Date.parse(job.queuedAt)
    // The next attempt leaves out the visitor's text, so there is no reason to wait.
    const delay = () => (reply.cause === 'content' ? 0 : delayAfter(job.attempts, ageMs, random()))
    const delayMs = isFinal ? undefined : delay()
    if (delayMs !== undefined) {
      await outbox.recordRetry(job, now(), reply, delayMs)
      log.warn({ ...fields, retryInSeconds: Math.round(delayMs / 1000) }, 'not sent')
      return
    }
    await outbox.recordFailed(job, now(), reply)
    // Only a warning if a visitor mistyped the address or a sign-in code expired: there is nothing to fix.
    log[isToVisitor(job.kind) || job.kind === 'sign_in' ? 'warn' : 'error'](fields, 'given up')
  }
}
