import { type Expression, type RawBuilder, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import { jsonRows } from '../database/json-rows.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/schema.ts'

export type ContactLimit = { limit: number; windowSeconds: number }
export type Allowance = { remaining: number; resetSeconds: number }
/** How many requests of a client were accepted, and when the first of them was: in the limit's window, and in a day. */
export type Spent = { used: number; oldest: string | null; usedToday: number; oldestToday: string | null }

/** Clocks of replicas differ by less than this, so a timestamp further in the future comes from a wrong clock. */
export const CLOCKS_AGREE_MS = 2000

// The limit for a day, as a multiple of the limit for the window. With the default settings: 100 leads, more than a school
// sends, but far less than what would fill a disk. Most of them get no email of their own: see mail-budget.ts.
const DAILY_FACTOR = 5
const DAY_SECONDS = 24 * 60 * 60
/** How long an idempotency key belongs to its client, a form token counts as used, and requests count toward a limit. */
export const REMEMBERED_MS = DAY_SECONDS * 1000

export const acceptedColumns = { lead_id: 'text', name: 'text', at: 'text' } as const

type Used = { client: string; idempotencyKey: string | null; formToken: string | null }

/**
 * The rows that a lead adds to `accepted_requests`. A key belongs to its client, so that a stranger who guesses keys can't
 * block a lead. A form token is good for one lead.
 */
export function acceptedNames(
  { client, idempotencyKey, formToken }: Used,
  keyedHash: (text: string) => string,
) {
  return {
    client,
    key: idempotencyKey === null ? null : `key ${keyedHash(`${client} ${idempotencyKey}`)}`,
    token: formToken === null ? null : `token ${keyedHash(formToken)}`,
  }
}
export type AcceptedNames = ReturnType<typeof acceptedNames>

export const acceptedInsert = (
  query: Pick<Database, 'insertInto'>,
  rows: RawBuilder<unknown>,
  condition = sql`true`,
) =>
  query
    .insertInto('accepted_requests')
    .columns(['lead_id', 'name', 'at'])
    .expression(sql`select lead_id, name, at from ${rows} as accepted where ${condition}`)

/** Inserts the rows of a JSON array. */
export const insertAccepted = prepared((db, { accepted }: { accepted: string }) =>
  acceptedInsert(db, jsonRows(db, accepted, acceptedColumns)),
)

type Value = string | Expression<string>
type Period = { name: Value; from: Value; until: Value }

/** The rows with this name in a period. */
export const acceptedAs = (db: Pick<Database, 'selectFrom'>, { name, from, until }: Period) =>
  db.selectFrom('accepted_requests').where('name', '=', name).where('at', '>', from).where('at', '<=', until)

const selectSpent = prepared((db, { windowStart, ...period }: Period & { windowStart: string }) =>
  acceptedAs(db, period).select(({ fn }) => [
    fn.countAll<number>().filterWhere('at', '>', windowStart).as('used'),
    fn.min('at').filterWhere('at', '>', windowStart).as('oldest'),
    fn.countAll<number>().as('usedToday'),
    fn.min('at').as('oldestToday'),
  ]),
)

const later = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()

/** The times from which, and until which, the requests of a client count. */
export const countedPeriods = (now: Date, { windowSeconds }: ContactLimit) => ({
  windowStart: later(now, -windowSeconds * 1000),
  from: later(now, -Math.max(windowSeconds * 1000, REMEMBERED_MS)),
  until: later(now, CLOCKS_AGREE_MS),
})

/** How many requests a client has left, and in how many seconds it gets back the first one that it used. */
export function toAllowance(
  { used, oldest, usedToday, oldestToday }: Spent,
  { limit, windowSeconds }: ContactLimit,
  now: Date,
): Allowance {
  const left = (spent: number, first: string | null, most: number, seconds: number) => {
    const age = first ? Math.max(0, now.getTime() - Date.parse(first)) / 1000 : 0
    return { remaining: Math.max(0, most - spent), resetSeconds: Math.max(1, Math.ceil(seconds - age)) }
  }
  const inWindow = left(used, oldest, limit, windowSeconds)
  const today = left(usedToday, oldestToday, limit * DAILY_FACTOR, Math.max(windowSeconds, DAY_SECONDS))
  return today.remaining < inWindow.remaining ? today : inWindow
}

/**
 * Counts the accepted requests of each client over a sliding window, and over a day. The counts survive restarts, because
 * the database stores the requests.
 */
export function createAcceptedRequests(db: Database, contactLimit: ContactLimit) {
  return {
    /**
     * Deletes old rows and, unless there are replicas, rows from the future. With replicas, our own clock may be the
     * wrong one.
     */
    async prune(now: Date): Promise<void> {
      const { from, until } = countedPeriods(now, contactLimit)
      await db
        .deleteFrom('accepted_requests')
        .where(({ eb, or }) =>
          isShared(db) ? eb('at', '<=', from) : or([eb('at', '<=', from), eb('at', '>', until)]),
        )
        .execute()
    },

    async allowance(client: string, now: Date): Promise<Allowance> {
      const { rows } = await selectSpent(db, { name: client, ...countedPeriods(now, contactLimit) })
      const nothing = { used: 0, oldest: null, usedToday: 0, oldestToday: null }
      return toAllowance(rows[0] ?? nothing, contactLimit, now)
    },
  }
}
