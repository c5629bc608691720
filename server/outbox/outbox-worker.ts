import { setTimeout as sleep } from 'node:timers/promises'
import { type AttemptDeps, createAttempt } from './attempt.ts'
import { createLanes } from './lanes.ts'
import type { Lane } from './outbox-store.ts'

// Emails sent at once. Some mail servers accept fewer connections per client; rejected emails are retried.
const LANES = { newest: 2, oldest: 4, visitor: 2 } as const
/** How long it can take to notice an email that another process has queued. */
export const POLL_EVERY_MS = 5_000
// If no claim has finished for this long, the database or every lane hangs.
const STALLED_AFTER_MS = 60_000
const PAUSE_MS = POLL_EVERY_MS
// How long a shutdown waits for running sends.
const STOP_GRACE_MS = 2_000

type Deps = AttemptDeps & {
  /** Claims nothing: emails stay queued. */
  isHeld?: boolean
}

export type OutboxWorker = ReturnType<typeof createOutboxWorker>

/** Sends due emails in the background. At least once: a crash can repeat an email, but never lose it. */
export function createOutboxWorker({ isHeld = false, ...deps }: Deps) {
  const { outbox, log, now } = deps
  const cutOff = new AbortController()
  const attempt = createAttempt({ ...deps, onServerTrouble: pause, onServerWell: resume }, cutOff.signal)
  let isStopping = isHeld
  let lastClaimAt = performance.now()
  let pausedUntil = 0
  let isNewWanted = false
  let timer: NodeJS.Timeout | undefined
  let resuming: NodeJS.Timeout | undefined

  /** The mail server is down or wants us to slow down: trying every queued email would only postpone them all. */
  function pause() {
    pausedUntil = performance.now() + PAUSE_MS
    clearTimeout(resuming)
    resuming = setTimeout(poll, PAUSE_MS + 1)
  }

  function resume() {
    if (performance.now() >= pausedUntil) return
    pausedUntil = 0
    poll()
  }

  /** During a pause, a new email may be tried once. */
  function mayClaim(lane: Lane) {
    const isNew = lane === 'newest' && isNewWanted
    if (isNew) isNewWanted = false
    return isNew || performance.now() >= pausedUntil
  }

  const lanesFor = (lane: Lane, onFull?: () => void) =>
    createLanes({
      count: LANES[lane],
      async claim() {
        if (!mayClaim(lane)) {
          lastClaimAt = performance.now()
          return undefined
        }
        const job = await outbox.claimNext(now(), lane)
        lastClaimAt = performance.now()
        return job
      },
      attempt,
      isStopping: () => isStopping,
      log,
      ...(onFull && { onFull }),
    })
  const visitor = lanesFor('visitor')
  const oldest = lanesFor('oldest')
  const newest = lanesFor('newest', oldest.wake)
  const all = [newest, oldest, visitor]

  function poll() {
    for (const lanes of all) lanes.wake()
  }

  return {
    /** Call this after queuing an email. Receipts and retries can wait for the next poll. */
    wake() {
      isNewWanted = true
      newest.wake()
    },

    /** Whether emails are held, or no claim has finished in the last minute. */
    isStalled: () => isHeld || performance.now() - lastClaimAt > STALLED_AFTER_MS,

    async start() {
      await outbox.releaseAll(now())
      timer = setInterval(poll, POLL_EVERY_MS)
      poll()
    },

    /** Resolves when nothing is being sent anymore. Aborted emails are due again at once. */
    async stop() {
      isStopping = true
      clearInterval(timer)
      clearTimeout(resuming)
      const ended = () => Promise.all(all.map((lanes) => lanes.ended()))
      await Promise.race([ended(), sleep(STOP_GRACE_MS, undefined, { ref: false })])
      cutOff.abort()
      await ended()
      // The last send may have paused the worker again.
      clearTimeout(resuming)
    },
  }
}
