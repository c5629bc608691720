import { sql } from 'kysely'
import type { ContactRequest } from '#shared/contact-request.ts'
import { jsonRows } from '../database/json-rows.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/schema.ts'
import {
  type AcceptedNames,
  acceptedAs,
  type ContactLimit,
  countedPeriods,
  REMEMBERED_MS,
  type Spent,
} from './accepted-requests.ts'

// Long enough for a double click, a reload or a second try, but short enough to allow a real second request.
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000
const REPEAT_WINDOW_MS = 7 * 24 * 60 * 60 * 1000
// Shorter messages ("Please call me back.") may be the same by chance.
export const MIN_REPEATED_LENGTH = 40
// Limits the time to score a message when many messages have the same beginning.
const MAX_REPEATS_READ = 200

/** A new request, and what is needed to compare it with earlier ones. */
export type Asked = {
  request: ContactRequest
  hash: string
  /** The stored form of the idempotency key: see `storedKey`. */
  idempotencyKey: string | null
  names: AcceptedNames
}

/** What needs to be known about earlier requests, to decide what happens to a new one. */
export type History = {
  /** The lead with the same idempotency key and the same content. */
  sameKey: { reference: string } | undefined
  /** Whether the client has used this idempotency key for a lead in the last day. */
  isKeyUsed: boolean
  /** Whether a lead was sent with this form token in the last day. */
  isTokenUsed: boolean
  /** The newest lead with the same content, if it came in during the last ten minutes. */
  sameContent: { reference: string } | undefined
  /** What the client has used of its limit. */
  spent: Spent
  /** How many other addresses have sent this message in the last week. */
  otherSenders: number
}

/** The query's parameters for each request. `message` is null if the message is too short to be counted as a repeat. */
const parameterTypes = {
  key: 'text',
  hash: 'text',
  client: 'text',
  keyName: 'text',
  tokenName: 'text',
  message: 'text',
  email: 'text',
  duplicatesSince: 'text',
  windowStart: 'text',
  from: 'text',
  rememberedSince: 'text',
  repeatsSince: 'text',
  until: 'text',
} as const
type Parameters = Record<keyof typeof parameterTypes, string | null>

// A single query for all requests, because with PostgreSQL, each query is a round trip.
const selectHistories = prepared((db, { requests }: { requests: string }) =>
  db
    // Without `materialized`, SQLite would extract each value from the JSON again whenever it is used.
    .with(
      (table) => table('asked').materialized(),
      (query) => query.selectFrom(jsonRows(db, requests, parameterTypes).as('row')).selectAll(),
    )
    .selectFrom('asked')
    .select(historyColumns(db)),
)

/** The columns to select from the table `asked`, which has a row for each request. */
function historyColumns(db: Database) {
  const asked = (name: keyof Parameters) => sql.ref<string>(`asked.${name}`)
  const sameKey = db.selectFrom('leads').where('idempotency_key', '=', asked('key'))
  const sameContent = db
    .selectFrom('leads')
    .where('content_hash', '=', asked('hash'))
    .where('created_at', '>', asked('duplicatesSince'))
    .where('created_at', '<=', asked('until'))
    .orderBy('created_at', 'desc')
    .limit(sql.lit(1))
  const accepted = acceptedAs(db, { name: asked('client'), from: asked('from'), until: asked('until') })
  const inWindow = sql<boolean>`at > ${asked('windowStart')}`
  const used = (name: 'keyName' | 'tokenName') =>
    acceptedAs(db, { name: asked(name), from: asked('rememberedSince'), until: asked('until') })
      .select('at')
      .limit(sql.lit(1))
  const similar = db
    .selectFrom('leads')
    .select(['email', 'message'])
    // The left side must match the expression of the index `leads_by_message`, or the database won't use it.
    .where(sql<boolean>`substr(message, 1, 64) = substr(${asked('message')}, 1, 64)`)
    .where('created_at', '>', asked('repeatsSince'))
    .orderBy('created_at', 'desc')
    .limit(sql.lit(MAX_REPEATS_READ))
  const otherSenders = db
    .selectFrom(similar.as('similar'))
    .where('similar.message', '=', asked('message'))
    .where('similar.email', '<>', asked('email'))
  return [
    sameKey.select('reference').as('keyReference'),
    used('keyName').as('keyUsedAt'),
    used('tokenName').as('tokenUsedAt'),
    sameContent.select('reference').as('contentReference'),
    accepted.select((row) => row.fn.countAll<number>().filterWhere(inWindow).as('used')).as('used'),
    accepted.select((row) => row.fn.min('at').filterWhere(inWindow).as('oldest')).as('oldest'),
    accepted.select((row) => row.fn.countAll<number>().as('used')).as('usedToday'),
    accepted.select((row) => row.fn.min('at').as('oldest')).as('oldestToday'),
    otherSenders
      .select((row) => row.fn.count<number>('similar.email').distinct().as('senders'))
      .as('otherSenders'),
  ] as const
}

/** Reads the history for each new request. */
export async function readHistories<Request extends Asked>(
  db: Database,
  requests: readonly Request[],
  contactLimit: ContactLimit,
  now: Date,
): Promise<[Request, History][]> {
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()
  const parameters = requests.map(
    ({ request, hash, idempotencyKey, names }): Parameters => ({
      key: idempotencyKey,
      hash,
      client: names.client,
      keyName: names.key,
      tokenName: names.token,
      message: request.message.length >= MIN_REPEATED_LENGTH ? request.message : null,
      email: request.email,
      duplicatesSince: later(-DUPLICATE_WINDOW_MS),
      rememberedSince: later(-REMEMBERED_MS),
      repeatsSince: later(-REPEAT_WINDOW_MS),
      ...countedPeriods(now, contactLimit),
    }),
  )
  const { rows } = await selectHistories(db, { requests: JSON.stringify(parameters) })
  return requests.map((request, index) => [request, toHistory(rows[index])])
}

type Row = Awaited<ReturnType<typeof selectHistories>>['rows'][number]

const toHistory = (row: Row | undefined): History => {
  if (!row) throw new Error('The history of a request is missing.')
  const { keyReference, contentReference, used, oldest, usedToday, oldestToday } = row
  return {
    sameKey: keyReference ? { reference: keyReference } : undefined,
    isKeyUsed: row.keyUsedAt !== null,
    isTokenUsed: row.tokenUsedAt !== null,
    sameContent: contentReference ? { reference: contentReference } : undefined,
    spent: { used: used ?? 0, oldest, usedToday: usedToday ?? 0, oldestToday },
    otherSenders: row.otherSenders ?? 0,
  }
}
