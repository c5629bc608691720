import { setTimeout as sleep } from 'node:timers/promises'
import { type AttemptDeps, createAttempt } from './attempt.ts'
import { createLanes } from './lanes.ts'
import type { Lane } from './outbox-store.ts'

// So many at once. Some mail servers take fewer connections from one client; what they refuse is tried again.
const LANES = { newest: 2, oldest: 4, visitor: 2 } as const
/** How long an email that another program has made due can go unnoticed. */
export const POLL_EVERY_MS = 5_000
// Nothing was claimed for so long: the database hangs, or every lane does.
const STALLED_AFTER_MS = 60_000
const PAUSE_MS = POLL_EVERY_MS
// What a stop grants the emails that are being sent.
const STOP_GRACE_MS = 2_000

type Deps = AttemptDeps & {
  /** Claims nothing: emails stay queued. */
  isHeld?: boolean
}

export type OutboxWorker = ReturnType<typeof createOutboxWorker>

/** Sends what is due, apart from any request. At least once: a crash can repeat an email, never lose it. */
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

  /** The mail server is away or wants us to slow down: trying everything that waits would only put all of it off. */
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
    /** A new email was queued. Receipts and retries can wait for the next poll. */
    wake() {
      isNewWanted = true
      newest.wake()
    },

    /** Whether nothing leaves: held, or nothing was looked for in a minute. */
    isStalled: () => isHeld || performance.now() - lastClaimAt > STALLED_AFTER_MS,

    async start() {
      await outbox.releaseAll(now())
      timer = setInterval(poll, POLL_EVERY_MS)
      poll()
    },

    /** Resolves when nothing is being sent anymore; what did not end in time is due again at once. */
    async stop() {
      isStopping = true
      clearInterval(timer)
      clearTimeout(resuming)
      const ended = () => Promise.all(all.map((lanes) => lanes.ended()))
      await Promise.race([ended(), sleep(STOP_GRACE_MS, undefined, { ref: false })])
      cutOff.abort()
      await ended()
      // The last of them may have met trouble.
      clearTimeout(resuming)
    },
  }
}
