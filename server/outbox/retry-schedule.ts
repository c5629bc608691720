const MINUTE_MS = 60 * 1000
const GIVE_UP_AFTER_MS = 5 * 24 * 60 * MINUTE_MS
const FIRST_DELAYS_MS = [1, 5, 15, 30, 60].map((minutes) => minutes * MINUTE_MS)
const STEADY_DELAY_MS = 120 * MINUTE_MS

// What fits into five days. A clock that jumps a year ahead must not expire every email, so attempts count too.
const LEAST_ATTEMPTS =
  1 +
  FIRST_DELAYS_MS.length +
  Math.floor((GIVE_UP_AFTER_MS - FIRST_DELAYS_MS.reduce((sum, delay) => sum + delay)) / STEADY_DELAY_MS)

/**
 * How many milliseconds to wait after the given attempt (1 is the first) of an email that has been queued for `ageMs`.
 * Undefined when that would be after five days and the whole schedule was tried: a replica that is killed or frozen uses
 * up an attempt, not days. `random` in 0..1 spreads the waits by +-20 %, so that emails that failed together do not return together.
 */
export function delayAfter(attempt: number, ageMs: number, random: number): number | undefined {
  const delay = Math.round((FIRST_DELAYS_MS[attempt - 1] ?? STEADY_DELAY_MS) * (0.8 + 0.4 * random))
  return attempt >= LEAST_ATTEMPTS && ageMs + delay > GIVE_UP_AFTER_MS ? undefined : delay
}
