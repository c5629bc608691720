import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { orAbort, startDeadline } from '../deadline.ts'
import { readSendError, replyCode } from '../mail/send-error.ts'
import type { Job } from './email.ts'
import { LEASE_MS, type OutboxStore } from './outbox-store.ts'
import { delayAfter } from './retry-schedule.ts'

// Longer than the mailer's own deadlines together: for a send that ignores its signal.
const SEND_DEADLINE_MS = 13 * 60 * 1000
const RENEW_EVERY_MS = 30_000
const RECORD_AGAIN_MS = 1_000

export type Deliver = (job: Job, signal: AbortSignal) => Promise<string>
/** Writes down what came of an attempt. */
export type Record = () => Promise<void>

export type AttemptDeps = {
  outbox: OutboxStore
  /** Sends one and returns the other side's reply. Rejects when that fails or `signal` aborts. */
  deliver: Deliver
  log: Logger
  now: () => Date
  /** 0..1 */
  random: () => number
  /** The mail server is away, or refused before it knew what about. */
  onServerTrouble?: () => void
  /** It took an email. */
  onServerWell?: () => void
}

/** Sends one claimed email, holds its lease meanwhile, and returns how to record the outcome. `cutOff` ends it early. */
export function createAttempt(
  { outbox, deliver, log, now, random, onServerTrouble = () => {}, onServerWell = () => {} }: AttemptDeps,
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
    onServerWell()
    // Outside the `try`: an email that has left is not tried again because the disk is full, only when its lease ends.
    return () => insistOnSent(job, response, lease.isOver).finally(lease.release)
  }

  /** Rejects at the deadline whatever `deliver` does: a lane must not be lost for good. */
  async function beforeDeadline(job: Job): Promise<string> {
    using deadline = startDeadline(SEND_DEADLINE_MS, 'The send did not end in time.')
    using _following = deadline.follow(cutOff)
    return await orAbort(deliver(job, deadline.signal), deadline.signal)
  }

  function holdLease(job: Job) {
    // By the steady clock, which nobody sets.
    let endsAt = performance.now() + LEASE_MS
    const renewing = setInterval(() => {
      const renewedAt = performance.now()
      outbox.renew(job, now()).then(
        () => {
          endsAt = renewedAt + LEASE_MS
        },
        () => {}, // The database is away: the lease ends where it was.
      )
    }, RENEW_EVERY_MS)
    return { isOver: () => performance.now() > endsAt, release: () => clearInterval(renewing) }
  }

  /** What is not recorded is sent again, so it tries for as long as nobody else may claim the email. */
  async function insistOnSent(job: Job, response: string, isLeaseOver: () => boolean) {
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
    if (isAboutServer) onServerTrouble()
    // The reply itself can hold an address: it belongs in the ledger, not in the log.
    const facts = { ...about, code, smtpCode: reply.smtpCode }
    const ageMs = now().getTime() - Date.parse(job.queuedAt)
    const delayMs = isFinal ? undefined : delayAfter(job.attempts, ageMs, random())
    if (delayMs !== undefined) {
      await outbox.recordRetry(job, now(), reply, delayMs)
      log.warn({ ...facts, retryInSeconds: Math.round(delayMs / 1000) }, 'not sent')
      return
    }
    await outbox.recordFailed(job, now(), reply)
    // An address that a visitor mistyped is nobody's alarm.
    log[job.kind === 'visitor_receipt' ? 'warn' : 'error'](facts, 'given up')
  }
}
