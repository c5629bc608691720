import type { Logger } from 'pino'
import type { OnProgress } from './migrate.ts'

const EVERY_MS = 2_000

/** Returns a function that logs the progress of an upgrade, at most every two seconds. */
export function logUpgrade(log: Logger): OnProgress {
  let loggedAt = performance.now()
  return (done, of) => {
    if (performance.now() - loggedAt < EVERY_MS) return
    loggedAt = performance.now()
    log.info({ done, of }, 'upgrading the database')
  }
}
