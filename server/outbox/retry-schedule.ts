import type { FailureCause } from '../database/schema.ts'
import type { Email } from './email.ts'

const MINUTE_MS = 60 * 1000
/** How long a failing email is retried. */
export const GIVE_UP_AFTER_MS = 5 * 24 * 60 * MINUTE_MS
const FIRST_DELAYS_MS = [1, 5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS)
const STEADY_DELAY_MS = 120 * MINUTE_MS
// As many as there are in five days. An email always gets at least this many: otherwise, if the
// clock jumped ahead by days, the server would give up on every waiting email at its next failed
// attempt.
const MIN_ATTEMPTS = 65

/**
 * Milliseconds to wait before the next attempt at an email that has failed because of `cause`;
 * undefined to give up. `random` is between 0 and 1.
 */
export function retryDelay(
  { attempts, queuedAt }: Email,
  cause: FailureCause,
  now: Date,
  random: number,
): number | undefined {
  // The next attempt leaves out the visitor's text, so there is no reason to wait.
  if (cause === 'content') return 0
  // Varies by up to 20%, so that emails that failed together aren't retried together.
  const delay = Math.round((FIRST_DELAYS_MS[attempts - 1] ?? STEADY_DELAY_MS) * (0.8 + 0.4 * random))
  const ageMs = now.getTime() - Date.parse(queuedAt)
  return attempts >= MIN_ATTEMPTS && ageMs + delay > GIVE_UP_AFTER_MS ? undefined : delay
}
