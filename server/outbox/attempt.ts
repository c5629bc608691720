import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Redact } from '../errors/redaction.ts'
import { orAbort, startDeadline } from './deadline.ts'
import { type Email, isToVisitor } from './email.ts'
import type { OutboxStore } from './outbox-store.ts'
import { readSendError, replyCode, type Unsent } from './outcome.ts'
import { retryDelay } from './retry-schedule.ts'

// Longer than a mail server may be silent, and shorter than a lease.
const SEND_DEADLINE_MS = 6 * 60 * 1000
const RETRY_RECORDING_MS = 1_000

/**
 * Sends one email, unless it isn't to be sent anymore. Returns the server's reply, or why it didn't
 * send. Rejects if that fails or `signal` aborts.
 */
export type Deliver = (email: Email, signal: AbortSignal) => Promise<string | { unsent: Unsent }>

const reasons: Record<Unsent, string> = {
  'not needed': 'not needed anymore',
  listed: 'No room in the mail budget. The next list names the lead.',
  'too late': 'Too late to send: it promises a time that has passed.',
  decided: 'Not sent: by then, an owner had answered, or decided that it is spam.',
  'turned off': 'Not sent: by then, VISITOR_RECEIPT was off.',
}

export type AttemptDeps = {
  outbox: OutboxStore
  deliver: Deliver
  /** Whether `deliver` only writes .eml files. */
  isToFiles?: boolean
  log: Logger
  /** Removes secrets from replies: a receiver may quote its URL. */
  redact: Redact
  now: () => Date
  /** Returns a number between 0 and 1. */
  random: () => number
}

/**
 * Creates a function that sends a claimed email and records the outcome. Resolves to whether the
 * server is up: false if the next email would fail, too, because the server is down, rejects us, or
 * wants us to slow down; undefined if the attempt doesn't show it. `shutdown` aborts the send.
 */
export function createAttempt(
  { outbox, deliver, isToFiles = false, log, redact, now, random }: AttemptDeps,
  shutdown: AbortSignal,
) {
  return async function attempt(email: Email): Promise<boolean | undefined> {
    const logFields = { outboxId: email.id, kind: email.kind, attempt: email.attempts }
    return send(email).then(
      (result) =>
        typeof result === 'string'
          ? sent(email, result, logFields)
          : withhold(email, result.unsent, logFields),
      (error: unknown) => failed(email, error, logFields),
    )
  }

  /**
   * Rejects at the deadline even if `deliver` ignores its signal, so that the worker never waits
   * forever.
   */
  async function send(email: Email) {
    using deadline = startDeadline(SEND_DEADLINE_MS, 'The send did not end in time.', shutdown)
    return await orAbort(deliver(email, deadline.signal), deadline.signal)
  }

  /**
   * Records again after a failure, such as a full disk: an email that isn't recorded as sent will
   * be sent again.
   */
  async function sent(email: Email, response: string, logFields: object): Promise<true> {
    log.info(logFields, 'sent')
    const reply = { smtpCode: replyCode(response), response: redact(response) }
    const at = now()
    for (;;) {
      try {
        await outbox.record(email, at, isToFiles ? 'file' : 'sent', reply)
        return true
      } catch (error) {
        if (shutdown.aborted) throw error
        await sleep(RETRY_RECORDING_MS, undefined, { signal: shutdown }).catch(() => {})
      }
    }
  }

  async function withhold(email: Email, unsent: Unsent, logFields: object): Promise<undefined> {
    const reply = { smtpCode: null, response: reasons[unsent] }
    log.info(logFields, reply.response)
    if (unsent === 'not needed') await outbox.withdraw(email)
    else await outbox.record(email, now(), unsent === 'listed' ? 'listed' : 'failed', reply)
  }

  async function failed(email: Email, error: unknown, logFields: object): Promise<boolean> {
    const { outcome, isDown, code, ...failure } = readSendError(error, email)
    const reply = { ...failure, response: redact(failure.response) }
    // Leaves out the text of the reply, which may contain an address. Only the delivery log gets
    // the text.
    const fields = { ...logFields, code, smtpCode: reply.smtpCode }
    // What our shutdown has cut off is sent after the restart.
    const retryMs = shutdown.aborted ? 0 : retryDelay(email, reply.cause, now(), random())
    if (outcome === 'retry' && retryMs !== undefined) {
      log.warn({ ...fields, retryInSeconds: Math.round(retryMs / 1000) }, 'not sent')
      await outbox.record(email, now(), 'retry', reply, retryMs)
    } else {
      // Only a warning if a visitor mistyped the address or a sign-in code expired: there is
      // nothing to fix.
      log[isToVisitor(email.kind) || email.kind === 'sign_in' ? 'warn' : 'error'](fields, 'given up')
      await outbox.record(email, now(), outcome === 'bounced' ? 'bounced' : 'failed', reply)
    }
    return !isDown
  }
}
