import type { Logger } from 'pino'
import type { RecordOutcome } from './attempt.ts'
import type { Job } from './email.ts'

type Deps = {
  /** How many emails to send in parallel. */
  count: number
  claim: () => Promise<Job | undefined>
  attempt: (job: Job) => Promise<RecordOutcome>
  isRunning: () => boolean
  /** Called if `wake` finds that every lane is busy. */
  onFull: () => void
  log: Logger
}

/** Runs `count` lanes: parallel loops that claim, send and record emails. An email that hangs blocks only one lane. */
export function createLanes({ count, claim, attempt, isRunning, onFull, log }: Deps) {
  const lanes = new Set<Promise<void>>()
  let isWakePending = false

  /** Starts looking for due emails. Safe to call at any time. */
  function wake(): void {
    isWakePending = true
    if (!isRunning()) return
    if (lanes.size >= count) {
      onFull()
      return
    }
    const lane = sendDueEmails()
      .catch((error: unknown) => log.error({ err: error }, 'outbox not usable, retrying at the next poll'))
      .finally(() => {
        lanes.delete(lane)
        // If `wake` was called while this lane was ending, start another one.
        if (isWakePending) wake()
      })
    lanes.add(lane)
  }

  async function sendDueEmails() {
    let recordOutcome: RecordOutcome | undefined
    while (isWakePending && isRunning()) {
      isWakePending = false
      // Record the previous email and claim the next at the same time, so that both share a commit.
      const [recorded, claimed] = await Promise.allSettled([recordOutcome?.(), claim()])
      recordOutcome = undefined
      if (recorded.status === 'rejected') log.error({ err: recorded.reason }, 'outcome not recorded')
      if (claimed.status === 'rejected') throw claimed.reason
      if (!claimed.value) continue
      // There may be more emails, so let another lane look for them while this one sends.
      wake()
      recordOutcome = await attempt(claimed.value)
    }
    await recordOutcome?.()
  }

  return { wake, ended: () => Promise.all(lanes) }
}
