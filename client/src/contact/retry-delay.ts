const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 30_000

/**
 * The delay doubles with each attempt, then a random factor reduces it by up to half. If the server
 * asks for a longer delay, that one is used. No delay is longer than 30 s. `attempt` is 0 for the
 * first attempt.
 */
export function retryDelayMs(attempt: number, random: number, retryAfterMs = 0): number {
  const backoffMs = FIRST_DELAY_MS * 2 ** attempt * (0.5 + random / 2)
  return Math.min(MAX_DELAY_MS, Math.max(backoffMs, retryAfterMs))
}

/**
 * `Retry-After` is a number of seconds or a date (RFC 9110, 10.2.3); anything else means no delay.
 */
export function parseRetryAfterMs(header: string | null, nowMs: number): number {
  if (!header) return 0
  const delayMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return Number.isNaN(delayMs) ? 0 : Math.max(0, delayMs)
}
