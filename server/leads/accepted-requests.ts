import { type Expression, type RawBuilder, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import { jsonRows } from '../database/json-rows.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/schema.ts'

export type ContactLimit = { limit: number; windowSeconds: number }
export type Allowance = { remaining: number; resetSeconds: number }
/** How many requests of a client were accepted in the limit's window, and when the first of them was accepted. */
export type Spent = { used: number; oldest: string | null }

/** Clocks of replicas differ by less than this, so a timestamp further in the future comes from a wrong clock. */
export const CLOCKS_AGREE_MS = 2000

/**
 * The table also counts the receipts that are sent to visitors, over a day. Each adds two rows: one with this client name,
 * for the limit on all receipts, and one with a longer name that begins with this one, for the limit on its mailbox.
 */
export const RECEIPTS = 'receipt'
const DAY_MS = 24 * 60 * 60 * 1000

/** `lead_id` isn't stored: it's only for the `condition` of `acceptedInsert`. */
export const acceptedColumns = { lead_id: 'text', client: 'text', at: 'text' } as const

export const acceptedInsert = (
  query: Pick<Database, 'insertInto'>,
  rows: RawBuilder<unknown>,
  condition = sql`true`,
) =>
  query
    .insertInto('accepted_requests')
    .columns(['client', 'at'])
    .expression(sql`select client, at from ${rows} as accepted where ${condition}`)

/** Inserts the rows of a JSON array. */
export const insertAccepted = prepared((db, { accepted }: { accepted: string }) =>
  acceptedInsert(db, jsonRows(db, accepted, acceptedColumns)),
)

type Value = string | Expression<string>
type Period = { client: Value; from: Value; until: Value }

/** The accepted requests of a client in a period. */
export const acceptedBy = (db: Pick<Database, 'selectFrom'>, { client, from, until }: Period) =>
  db
    .selectFrom('accepted_requests')
    .where('client', '=', client)
    .where('at', '>', from)
    .where('at', '<=', until)

const countAccepted = prepared((db, period: Period) =>
  acceptedBy(db, period).select((row) => [
    row.fn.countAll<number>().as('used'),
    row.fn.min('at').as('oldest'),
  ]),
)

const later = (now: Date, ms: number) => new Date(now.getTime() + ms).toISOString()

/** How many requests a client has left, and in how many seconds it gets back the first one that it used. */
export function toAllowance(
  { used, oldest }: Spent,
  { limit, windowSeconds }: ContactLimit,
  now: Date,
): Allowance {
  const age = oldest ? Math.max(0, now.getTime() - Date.parse(oldest)) / 1000 : 0
  return {
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.max(1, Math.ceil(windowSeconds - age)),
  }
}

/**
 * Counts the accepted requests of each client over a sliding window. The counts survive restarts, because the database
 * stores the requests.
 */
export function createAcceptedRequests(db: Database, { limit, windowSeconds }: ContactLimit) {
  const windowStart = (now: Date) => later(now, -windowSeconds * 1000)
  const windowEnd = (now: Date) => later(now, CLOCKS_AGREE_MS)

  return {
    add(client: string, now: Date) {
      return insertAccepted(db, { accepted: JSON.stringify([{ client, at: now.toISOString() }]) })
    },

    /**
     * Deletes old rows and, unless there are replicas, rows from the future. With replicas, our own clock may be the
     * wrong one.
     */
    async prune(now: Date): Promise<void> {
      await db
        .deleteFrom('accepted_requests')
        .where((row) => {
          const isExpired = row.and([
            row('at', '<=', windowStart(now)),
            row.or([row('client', 'not like', `${RECEIPTS}%`), row('at', '<=', later(now, -DAY_MS))]),
          ])
          return isShared(db) ? isExpired : row.or([isExpired, row('at', '>', windowEnd(now))])
        })
        .execute()
    },

    async allowance(client: string, now: Date): Promise<Allowance> {
      const { rows } = await countAccepted(db, { client, from: windowStart(now), until: windowEnd(now) })
      return toAllowance(rows[0] ?? { used: 0, oldest: null }, { limit, windowSeconds }, now)
    },
  }
}
