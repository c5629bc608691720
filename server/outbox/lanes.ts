import type { Logger } from 'pino'
import type { Record } from './attempt.ts'
import type { Job } from './email.ts'

type Deps = {
  /** How many emails to send at once. */
  count: number
  claim: () => Promise<Job | undefined>
  /** Sends one email and returns a function that records the outcome. */
  attempt: (job: Job) => Promise<Record>
  isStopping: () => boolean
  /** There is work, and every lane is busy. */
  onFull?: () => void
  log: Logger
}

/** Parallel loops that claim, send and record: an email that hangs blocks only one of them. */
export function createLanes({ count, claim, attempt, isStopping, onFull = () => {}, log }: Deps) {
  const running = new Set<Promise<void>>()
  let isMoreWanted = false

  /** Looks for due emails now. Safe to call at any time. */
  function wake(): void {
    isMoreWanted = true
    if (isStopping()) return
    if (running.size >= count) {
      onFull()
      return
    }
    const lane = drain()
      .catch((error: unknown) => log.error({ err: error }, 'outbox not usable, retrying at the next poll'))
      .finally(() => {
        running.delete(lane)
        // It was woken while every lane was about to end.
        if (isMoreWanted) wake()
      })
    running.add(lane)
  }

  async function drain() {
    let record: Record | undefined
    while (isMoreWanted && !isStopping()) {
      isMoreWanted = false
      // Together, so that recording the last email and claiming the next share a commit.
      const [recorded, claimed] = await Promise.allSettled([record?.(), claim()])
      record = undefined
      if (recorded.status === 'rejected') log.error({ err: recorded.reason }, 'outcome not recorded')
      if (claimed.status === 'rejected') throw claimed.reason
      if (!claimed.value) continue
      // There may be more: let another lane look while this one sends.
      wake()
      record = await attempt(claimed.value)
    }
    await record?.()
  }

  return { wake, ended: () => Promise.all(running) }
}
