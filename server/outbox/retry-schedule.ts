const MINUTE_MS = 60 * 1000
const GIVE_UP_AFTER_MS = 5 * 24 * 60 * MINUTE_MS
const FIRST_DELAYS_MS = [1, 5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS)
const STEADY_DELAY_MS = 120 * MINUTE_MS

// Counted in attempts, not by the clock: a clock that jumps a year ahead must not expire every mail.
const LAST_ATTEMPT =
  1 +
  FIRST_DELAYS_MS.length +
  Math.floor((GIVE_UP_AFTER_MS - FIRST_DELAYS_MS.reduce((sum, delay) => sum + delay)) / STEADY_DELAY_MS)

/**
 * How many milliseconds to wait after the given attempt (1 is the first), or undefined after the last one, 5 days on.
 * `random` in 0..1 spreads the waits by +-20 %, so that mails that failed together do not come back together.
 */
export function delayAfter(attempt: number, random: number): number | undefined {
  if (attempt >= LAST_ATTEMPT) return undefined
  const delay = FIRST_DELAYS_MS[attempt - 1] ?? STEADY_DELAY_MS
  return Math.round(delay * (0.8 + 0.4 * random))
}
