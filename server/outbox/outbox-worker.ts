import { setTimeout as sleep } from 'node:timers/promises'
import { type AttemptDeps, createAttempt, type Deliver } from './attempt.ts'
import { createLanes } from './lanes.ts'
import type { Lane } from './outbox-store.ts'
import { createPause } from './pause.ts'

// How many lanes of each kind there are. A lane is a loop that sends emails one by one. Few, because Microsoft 365 accepts at
// most three connections at a time. Leads are posted to the webhook one by one, normally in their order of arrival.
const LANE_SIZES = { signIn: 1, newest: 1, oldest: 1, visitor: 1, webhook: 1 } as const
/** How long it can take to notice an email that another process has queued. */
export const POLL_EVERY_MS = 5_000
// If no claim has finished in this time, the database or every lane is stuck.
const STALLED_AFTER_MS = 60_000
const PAUSE_MS = POLL_EVERY_MS
// Pauses double up to this length, so a webhook that stays down gets one request a minute.
const MAX_WEBHOOK_PAUSE_MS = 60_000
// Leads that the webhook has missed are posted again at most this often, because it may reject some of them every time.
const CATCH_UP_EVERY_MS = 10 * 60_000
// `wakeAt` wakes the worker this long after the due time: timers and the database's clock may differ by some milliseconds.
const ALARM_DELAY_MS = 50
// While many visitors send requests, each email waits up to this long, so that visitors don't have to wait for emails. The
// two lanes for notices still send two a second.
const CROWD_WAIT_MS = 1_000
const CROWD_CHECK_MS = 50
// How long a shutdown waits for running sends before it aborts them.
const STOP_GRACE_MS = 2_000

type Deps = Omit<AttemptDeps, 'onServerUnavailable' | 'onServerAvailable'> & {
  /** If true, the worker claims no emails: they stay queued. */
  isHeld?: boolean
  /** Whether many visitors are waiting for a response. */
  isCrowded?: () => boolean
  /** Posts a lead to the webhook. Without it, posts stay queued. */
  postLead?: Deliver | undefined
}

type MailLane = Exclude<Lane, 'webhook' | 'newestPost'>

export type OutboxWorker = ReturnType<typeof createOutboxWorker>

/** Sends due emails in the background. A crash can cause a duplicate email, but never a lost one. */
export function createOutboxWorker({ isHeld = false, isCrowded = () => false, postLead, ...deps }: Deps) {
  const { outbox, log, now } = deps
  const shutdown = new AbortController()
  const mailPause = createPause(PAUSE_MS, PAUSE_MS, poll)
  const webhookPause = createPause(PAUSE_MS, MAX_WEBHOOK_PAUSE_MS, poll)
  const send = createAttempt(
    { ...deps, onServerUnavailable: mailPause.begin, onServerAvailable: mailPause.end },
    shutdown.signal,
  )
  let isRunning = true
  let lastProgressAt = performance.now()
  let hasNewEmail = false
  let hasMissedPosts = false
  let nextCatchUpAt = 0
  let timer: NodeJS.Timeout | undefined
  const alarms = new Set<NodeJS.Timeout>()

  async function claim(lane: MailLane) {
    await waitForCrowd()
    if (!isRunning) return undefined
    // During a pause, each `wake` allows one attempt at a new email. Sign-in codes don't wait at all: they expire.
    const isAllowed = mailPause.isOver() || lane === 'signIn' || (lane === 'newest' && hasNewEmail)
    if (lane === 'newest') hasNewEmail = false
    const job = isAllowed ? await outbox.claimNext(now(), lane) : undefined
    lastProgressAt = performance.now()
    return job
  }

  async function waitForCrowd() {
    const until = performance.now() + CROWD_WAIT_MS
    while (isRunning && isCrowded() && performance.now() < until) await sleep(CROWD_CHECK_MS)
  }

  const lanesFor = (lane: MailLane, onFull = () => {}) =>
    createLanes({
      count: LANE_SIZES[lane],
      claim: () => claim(lane),
      attempt: send,
      isRunning: () => isRunning && !isHeld,
      onFull,
      log,
    })

  const webhookLane = (deliver: Deliver) =>
    createLanes({
      count: LANE_SIZES.webhook,
      // After a failure, claims the newest post, so that a new lead doesn't wait for leads that the webhook rejects
      // every time.
      claim: async () =>
        webhookPause.isOver()
          ? outbox.claimNext(now(), webhookPause.hasFailed() ? 'newestPost' : 'webhook')
          : undefined,
      attempt: createAttempt(
        { ...deps, deliver, onServerUnavailable: webhookPause.begin, onServerAvailable: catchUp },
        shutdown.signal,
      ),
      isRunning: () => isRunning,
      onFull: () => {},
      log,
    })

  /**
   * When the webhook works again, posts the leads that it has missed, instead of waiting up to two hours for their next
   * attempts.
   */
  function catchUp() {
    if (webhookPause.end()) hasMissedPosts = true
    if (!hasMissedPosts || performance.now() < nextCatchUpAt) return
    hasMissedPosts = false
    nextCatchUpAt = performance.now() + CATCH_UP_EVERY_MS
    outbox.retryPosts(now()).then(poll, (error: unknown) => log.warn({ err: error }, 'posts stay queued'))
  }

  const visitor = lanesFor('visitor')
  const oldest = lanesFor('oldest')
  const signIn = lanesFor('signIn')
  const newest = lanesFor('newest', () => {
    signIn.wake()
    oldest.wake()
  })
  const webhook = postLead && webhookLane(postLead)
  const all = [newest, signIn, oldest, visitor, ...(webhook ? [webhook] : [])]

  function wake() {
    hasNewEmail = true
    newest.wake()
    webhook?.wake()
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
      // Retry failed posts, because a restart may have fixed what made them fail.
      if (webhook) await outbox.retryPosts(now())
      timer = setInterval(poll, POLL_EVERY_MS)
      poll()
      // A restart loses all alarms, so set them again.
      for (const dueAt of await outbox.dueSoon(now())) wakeAt(dueAt)
    },

    /** Resolves once no send is in progress. Aborted emails become due again immediately. */
    async stop() {
      isRunning = false
      clearInterval(timer)
      for (const pause of [mailPause, webhookPause]) pause.cancel()
      for (const timer of alarms) clearTimeout(timer)
      const ended = () => Promise.all(all.map((lanes) => lanes.ended()))
      await Promise.race([ended(), sleep(STOP_GRACE_MS, undefined, { ref: false })])
      shutdown.abort()
      await ended()
      // The last send may have started another pause, which has a timer.
      for (const pause of [mailPause, webhookPause]) pause.cancel()
    },
  }
}
