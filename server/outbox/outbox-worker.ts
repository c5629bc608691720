import { setTimeout as sleep } from 'node:timers/promises'
import { type AttemptDeps, createAttempt } from './attempt.ts'
import { type Email, priorities } from './email.ts'

// How long it can take to notice an email that a job or another process has queued, or that becomes
// due later.
const POLL_EVERY_MS = 500
// How long to wait after a failure that says that the server doesn't work.
const PAUSE_MS = 5_000
// If no claim has finished in this time, the database is stuck, or every send.
const STALLED_AFTER_MS = 60_000
// How long a shutdown waits for running sends before it aborts them.
const STOP_GRACE_MS = 2_000

type Deps = AttemptDeps & {
  /**
   * The lowest priority of an email that may be sent besides the running sends; undefined if none
   * may.
   */
  lowestFor?: (sending: readonly Email[]) => number | undefined
  graceMs?: number
}

/**
 * Three emails at a time, because Microsoft 365 accepts no more connections. Notices leave one of
 * them to codes and answers, and receipts and suspects leave another to notices. So what hangs or
 * waits doesn't delay what is more urgent.
 */
export function emailsFor(sending: readonly Email[]): number | undefined {
  const { urgent, owner, low } = priorities
  const countFrom = (lowest: number) => sending.filter(({ priority }) => priority >= lowest).length
  if (sending.length >= 3) return undefined
  if (countFrom(owner) >= 2) return urgent
  return countFrom(low) >= 1 ? owner : low
}

/** The webhook gets one lead at a time. */
export const leadsFor = (sending: readonly Email[]): number | undefined =>
  sending.length === 0 ? priorities.webhook : undefined

/**
 * Sends due emails in the background. A crash can cause a duplicate email, but never a lost one.
 */
export function createOutboxWorker({ lowestFor = emailsFor, graceMs = STOP_GRACE_MS, ...deps }: Deps) {
  const { outbox, log, now } = deps
  const shutdown = new AbortController()
  const attempt = createAttempt(deps, shutdown.signal)
  const sending = new Map<Email, Promise<void>>()
  let isRunning = false
  let claiming: Promise<void> | undefined
  let isCheckPending = false
  let timer: NodeJS.Timeout | undefined
  let lastClaimAt = Number.NEGATIVE_INFINITY
  /** 0 while the server works. */
  let pausedUntil = 0

  /** Looks for due emails. Safe to call at any time. */
  function check() {
    isCheckPending = true
    if (isRunning) claiming ??= claimAll()
  }

  /** Claims and starts to send as many emails as possible. Then sets the timer. */
  async function claimAll() {
    try {
      while (isCheckPending) {
        isCheckPending = false
        await claimDue()
      }
    } catch (error) {
      log.error({ err: error }, 'outbox not usable, retrying at the next poll')
    }
    claiming = undefined
    clearTimeout(timer)
    if (isRunning) timer = setTimeout(check, POLL_EVERY_MS)
  }

  async function claimDue() {
    for (let lowest = next(); lowest !== undefined; lowest = next()) {
      const email = await outbox.claim(now(), lowest, [...sending.keys()])
      lastClaimAt = performance.now()
      if (!email) return
      // While the server is down, one attempt, then another pause, unless the attempt succeeds.
      if (pausedUntil > 0) pause()
      sending.set(email, send(email))
    }
  }

  const next = () =>
    isRunning && performance.now() >= pausedUntil ? lowestFor([...sending.keys()]) : undefined

  const pause = () => {
    pausedUntil = performance.now() + PAUSE_MS
  }

  async function send(email: Email) {
    try {
      const isServerUp = await attempt(email)
      if (isServerUp === false) pause()
      if (isServerUp) pausedUntil = 0
    } catch (error) {
      log.error({ err: error }, 'outcome not recorded')
    }
    sending.delete(email)
    check()
  }

  return {
    /**
     * Sends at once what was just queued for somebody who waits. Everything else is noticed soon.
     */
    wake: check,

    /**
     * Whether no claim has finished in the last minute, for example because the worker wasn't
     * started.
     */
    isStalled: () => performance.now() - lastClaimAt > STALLED_AFTER_MS,

    start() {
      isRunning = true
      check()
    },

    /** Resolves once no send is in progress. */
    async stop() {
      isRunning = false
      clearTimeout(timer)
      await claiming
      const ended = () => Promise.all(sending.values())
      await Promise.race([ended(), sleep(graceMs, undefined, { ref: false })])
      shutdown.abort(new Error('The server was stopped.'))
      await ended()
    },
  }
}
