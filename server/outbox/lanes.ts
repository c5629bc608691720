import type { Logger } from 'pino'
import type { Record } from './attempt.ts'
import type { Job } from './email.ts'

type Deps = {
  /** How many emails at once. */
  count: number
  claim: () => Promise<Job | undefined>
  /** Sends one and returns how to record the outcome. */
  attempt: (job: Job) => Promise<Record>
  isStopping: () => boolean
  /** There is work, and every lane is busy. */
  onFull?: () => void
  log: Logger
}

/** A few loops that claim, send and record side by side: an email that hangs holds up one of them. */
export function createLanes({ count, claim, attempt, isStopping, onFull = () => {}, log }: Deps) {
  const running = new Set<Promise<void>>()
  let isMoreWanted = false

  /** Looks for due emails now. Safe at any time, any number of times. */
  function wake(): void {
    isMoreWanted = true
    if (isStopping()) return
    if (running.size >= count) {
      onFull()
      return
    }
    const lane = drain()
      .catch((error: unknown) => log.error({ err: error }, 'outbox not usable, next try at the next poll'))
      .finally(() => {
        running.delete(lane)
        // Woken while every lane was about to end.
        if (isMoreWanted) wake()
      })
    running.add(lane)
  }

  async function drain() {
    let record: Record | undefined
    while (isMoreWanted && !isStopping()) {
      isMoreWanted = false
      // Asked for together, they share a commit: the outcome of the last email, and the claim of the next.
      const [recorded, claimed] = await Promise.allSettled([record?.(), claim()])
      record = undefined
      if (recorded.status === 'rejected') log.error({ err: recorded.reason }, 'outcome not recorded')
      if (claimed.status === 'rejected') throw claimed.reason
      if (!claimed.value) continue
      // There may be more behind this one: let another lane look while this one sends.
      wake()
      record = await attempt(claimed.value)
    }
    await record?.()
  }

  return { wake, ended: () => Promise.all(running) }
}
