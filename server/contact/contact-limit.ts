import type { Env } from '../env.ts'
import { type Problem, rateLimited } from '../errors/problem.ts'
import { CLOCKS_AGREE_MS } from '../leads/emails/mail-budget.ts'

export type ContactLimit = Pick<Env, 'CONTACT_LIMIT' | 'CONTACT_LIMIT_WINDOW_SECONDS'>
/**
 * How many requests of a client were accepted, and when the first of them was: in the limit's
 * window, and in a day.
 */
type Spent = { used: number; oldest: string | null; usedToday: number; oldestToday: string | null }

// The limit for a day, as a multiple of the limit for the window. With the default settings: 100
// leads, more than a school sends, but far less than what would fill a disk. Most of them get no
// email of their own: see mail-budget.ts.
const DAILY_FACTOR = 5
const DAY_SECONDS = 24 * 60 * 60

/** The times from which, and until which, the requests of a client count. */
export function countedPeriods(now: Date, { CONTACT_LIMIT_WINDOW_SECONDS: windowSeconds }: ContactLimit) {
  const before = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
  return {
    windowStart: before(windowSeconds),
    dayStart: before(DAY_SECONDS),
    until: before(-CLOCKS_AGREE_MS / 1000),
  }
}

/**
 * The error for a client that has used up its limit on accepted requests; undefined if the next one
 * is allowed.
 */
export function overLimit(spent: Spent, limit: ContactLimit, now: Date): Problem | undefined {
  const secondsLeft = (first: string | null, seconds: number) =>
    Math.ceil(seconds - (now.getTime() - Date.parse(String(first))) / 1000)
  if (spent.usedToday >= limit.CONTACT_LIMIT * DAILY_FACTOR)
    return rateLimited(secondsLeft(spent.oldestToday, DAY_SECONDS))
  if (spent.used < limit.CONTACT_LIMIT) return undefined
  return rateLimited(secondsLeft(spent.oldest, limit.CONTACT_LIMIT_WINDOW_SECONDS))
}
