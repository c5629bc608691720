const MINUTE_MS = 60 * 1000
/** How long a failing email is retried. */
export const GIVE_UP_AFTER_MS = 5 * 24 * 60 * MINUTE_MS
const FIRST_DELAYS_MS = [1, 5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS)
const STEADY_DELAY_MS = 120 * MINUTE_MS

// The number of attempts in five days. An email always gets at least this many: otherwise, if the clock jumped ahead by
// days, the server would give up on every waiting email at its next failed attempt.
const MIN_ATTEMPTS =
  1 +
  FIRST_DELAYS_MS.length +
  Math.floor((GIVE_UP_AFTER_MS - FIRST_DELAYS_MS.reduce((sum, delay) => sum + delay)) / STEADY_DELAY_MS)

/**
 * Milliseconds to wait after the given attempt (1 is the first), or undefined to give up. `random` (0..1) varies the delay
 * by up to 20%, so that emails that failed together aren't retried together.
 */
export function delayAfter(attempt: number, ageMs: number, random: number): number | undefined {
  const delay = Math.round((FIRST_DELAYS_MS[attempt - 1] ?? STEADY_DELAY_MS) * (0.8 + 0.4 * random))
  return attempt >= MIN_ATTEMPTS && ageMs + delay > GIVE_UP_AFTER_MS ? undefined : delay
}
