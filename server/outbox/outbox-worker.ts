import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { readSendError, replyCode } from '../mail/send-error.ts'
import type { Channel, Job, OutboxStore } from './outbox-store.ts'
import { delayAfter } from './retry-schedule.ts'

// So many mails at once: a mail server that hangs on one of them does not hold up the others.
const LANES = 4
/** How long a mail that another program has made due can go unnoticed. */
export const POLL_EVERY_MS = 5_000
// The whole of one send, from look-up to the reply after the final dot; shorter than the lease in the store.
const SEND_DEADLINE_MS = 60_000
// What a stop grants the mails in hand.
const STOP_GRACE_MS = 2_000
// A mail that is out is noted down in spite of a short lock, for what is not noted is sent again.
const RECORD_TRIES = 5
const RECORD_AGAIN_MS = 1_000

type Deps = {
  outbox: OutboxStore
  channel?: Channel
  /** Sends one and returns the other side's reply. Rejects when that fails or `signal` aborts. */
  deliver: (job: Job, signal: AbortSignal) => Promise<string>
  log: Logger
  now: () => Date
  random: () => number
}

type NoteDown = () => Promise<void>

export type OutboxWorker = ReturnType<typeof createOutboxWorker>

/** Sends what is due, apart from any request. At least once: a crash can repeat a mail, never lose it. */
export function createOutboxWorker({ outbox, channel = 'mail', deliver, log, now, random }: Deps) {
  const lanes = new Set<Promise<void>>()
  const cutOff = new AbortController()
  let isStopping = false
  let isMoreWanted = false
  let timer: NodeJS.Timeout | undefined

  /** Looks for due mail now. Safe at any time, any number of times. */
  function wake() {
    isMoreWanted = true
    if (lanes.size >= LANES || isStopping) return
    const lane = deliverDue()
      .catch((error: unknown) => log.error({ err: error }, 'outbox not usable, next try at the next poll'))
      .finally(() => {
        lanes.delete(lane)
        // Woken while every lane was on its way out.
        if (isMoreWanted) wake()
      })
    lanes.add(lane)
  }

  async function deliverDue() {
    let record: NoteDown | undefined
    while (isMoreWanted && !isStopping) {
      isMoreWanted = false
      // Asked for together, they share a commit: how the last one went, and the next.
      const [recorded, claimed] = await Promise.allSettled([record?.(), outbox.claimNext(now(), channel)])
      record = undefined
      if (recorded.status === 'rejected') log.error({ err: recorded.reason }, 'not noted down')
      if (claimed.status === 'rejected') throw claimed.reason
      if (!claimed.value) continue
      // There may be more behind this one: let another lane look while this one sends.
      wake()
      record = await attempt(claimed.value)
    }
    await record?.()
  }

  /** Sends it, and returns how to note down what came of it. */
  async function attempt(job: Job): Promise<NoteDown> {
    const about = { outboxId: job.id, kind: job.kind, attempt: job.attempts }
    let response: string
    try {
      const signal = AbortSignal.any([cutOff.signal, AbortSignal.timeout(SEND_DEADLINE_MS)])
      response = await deliver(job, signal)
    } catch (error) {
      return () => recordFailure(job, error, about)
    }
    log.info(about, 'sent')
    // Outside the `try`: a mail that is out is not tried again because the disk is full, only when its lease ends.
    return () => insist(() => outbox.recordSent(job, now(), { smtpCode: replyCode(response), response }))
  }

  async function insist(record: () => Promise<void>) {
    for (let tries = 1; ; tries++) {
      try {
        return await record()
      } catch (error) {
        if (tries === RECORD_TRIES || isStopping) throw error
        await sleep(RECORD_AGAIN_MS)
      }
    }
  }

  async function recordFailure(job: Job, error: unknown, about: object) {
    if (cutOff.signal.aborted) {
      await outbox.recordInterrupted(job, now())
      return
    }
    const { isFinal, code, ...reply } = readSendError(error)
    // The reply itself can hold an address: it stands in the ledger, not in the log.
    const facts = { ...about, code, smtpCode: reply.smtpCode }
    const delayMs = isFinal ? undefined : delayAfter(job.attempts, random())
    if (delayMs === undefined) {
      await outbox.recordFailed(job, now(), reply)
      // An address that a visitor has mistyped is nobody's alarm.
      log[job.kind === 'visitor_receipt' ? 'warn' : 'error'](facts, 'given up')
    } else {
      await outbox.recordRetry(job, now(), reply, delayMs)
      log.warn({ ...facts, retryInSeconds: Math.round(delayMs / 1000) }, 'not sent')
    }
  }

  return {
    wake,

    async start() {
      await outbox.releaseAll(now(), channel)
      timer = setInterval(wake, POLL_EVERY_MS)
      wake()
    },

    /** Resolves when no mail is in hand any more; what did not end in time is due again at once. */
    async stop() {
      isStopping = true
      clearInterval(timer)
      await Promise.race([Promise.all(lanes), sleep(STOP_GRACE_MS, undefined, { ref: false })])
      cutOff.abort()
      await Promise.all(lanes)
    },
  }
}
