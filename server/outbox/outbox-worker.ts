import { setTimeout as sleep } from 'node:timers/promises'
import { type AttemptDeps, createAttempt } from './attempt.ts'
import { createLanes } from './lanes.ts'
import type { Lane } from './outbox-store.ts'

// Concurrent sends per lane. Some mail servers accept fewer connections per client; rejected emails are retried.
const LANE_SIZES = { newest: 2, oldest: 4, visitor: 2 } as const
/** How long it can take to notice an email that another process has queued. */
export const POLL_EVERY_MS = 5_000
// If no claim has finished in this time, the database or every lane is hung.
const STALLED_AFTER_MS = 60_000
const PAUSE_MS = POLL_EVERY_MS
// Timers and the database's clock may differ by some milliseconds.
const ALARM_DELAY_MS = 50
// How long a shutdown waits for running sends.
const STOP_GRACE_MS = 2_000

type Deps = Omit<AttemptDeps, 'onServerUnavailable' | 'onServerAvailable'> & {
  /** If true, claims nothing: emails stay queued. */
  isHeld?: boolean
}

export type OutboxWorker = ReturnType<typeof createOutboxWorker>

/** Sends due emails in the background. A crash can cause a duplicate email, but never a lost one. */
export function createOutboxWorker({ isHeld = false, ...deps }: Deps) {
  const { outbox, log, now } = deps
  const shutdown = new AbortController()
  const attempt = createAttempt(
    { ...deps, onServerUnavailable: pause, onServerAvailable: resume },
    shutdown.signal,
  )
  let isRunning = !isHeld
  let lastProgressAt = performance.now()
  let pausedUntil = 0
  let hasNewEmail = false
  let timer: NodeJS.Timeout | undefined
  let resumeTimer: NodeJS.Timeout | undefined
  const alarms = new Set<NodeJS.Timeout>()

  /** The mail server is down or throttling us. Trying every queued email now would only push back its next attempt. */
  function pause() {
    pausedUntil = performance.now() + PAUSE_MS
    clearTimeout(resumeTimer)
    resumeTimer = setTimeout(poll, PAUSE_MS + 1)
  }

  function resume() {
    if (performance.now() >= pausedUntil) return
    pausedUntil = 0
    poll()
  }

  async function claim(lane: Lane) {
    // During a pause, each `wake` allows one attempt at a new email.
    const isAllowed = performance.now() >= pausedUntil || (lane === 'newest' && hasNewEmail)
    if (lane === 'newest') hasNewEmail = false
    const job = isAllowed ? await outbox.claimNext(now(), lane) : undefined
    lastProgressAt = performance.now()
    return job
  }

  const lanesFor = (lane: Lane, onFull = () => {}) =>
    createLanes({
      count: LANE_SIZES[lane],
      claim: () => claim(lane),
      attempt,
      isRunning: () => isRunning,
      onFull,
      log,
    })
  const visitor = lanesFor('visitor')
  const oldest = lanesFor('oldest')
  const newest = lanesFor('newest', oldest.wake)
  const all = [newest, oldest, visitor]

  function wake() {
    hasNewEmail = true
    newest.wake()
  }

  function wakeAt(dueAt: Date) {
    const timer = setTimeout(
      () => {
        alarms.delete(timer)
        wake()
      },
      Math.max(0, dueAt.getTime() - now().getTime()) + ALARM_DELAY_MS,
    )
    alarms.add(timer)
  }

  function poll() {
    for (const lanes of all) lanes.wake()
  }

  return {
    /** Call this after queuing an email that is due now. Receipts to visitors and retries wait for the next poll. */
    wake,

    /** Call this after queuing an email that is due later. */
    wakeAt,

    /** Whether emails are held, or no claim has finished in the last minute. */
    isStalled: () => isHeld || performance.now() - lastProgressAt > STALLED_AFTER_MS,

    async start() {
      await outbox.releaseAll(now())
      timer = setInterval(poll, POLL_EVERY_MS)
      poll()
      // A restart loses the alarms that were set before it.
      for (const dueAt of await outbox.dueSoon(now())) wakeAt(dueAt)
    },

    /** Resolves once no send is in progress. Aborted emails become due again immediately. */
    async stop() {
      isRunning = false
      clearInterval(timer)
      clearTimeout(resumeTimer)
      for (const timer of alarms) clearTimeout(timer)
      const ended = () => Promise.all(all.map((lanes) => lanes.ended()))
      await Promise.race([ended(), sleep(STOP_GRACE_MS, undefined, { ref: false })])
      shutdown.abort()
      await ended()
      // The last send may have paused the worker, which starts this timer again.
      clearTimeout(resumeTimer)
    },
  }
}
