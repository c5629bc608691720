import { type Expression, sql } from 'kysely'
import type { ContactRequest } from '#shared/contact-request.ts'
import { isShared } from '../database/differences.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/schema.ts'
import { acceptedBy, CLOCKS_AGREE_MS, type Spent } from './accepted-requests.ts'

// Long enough for a double click, a reload or a second try, but short enough to allow a real second request.
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000
const REPEAT_WINDOW_MS = 7 * 24 * 60 * 60 * 1000
// Shorter messages ("Please call me back.") may be the same by chance.
const MIN_REPEATED_LENGTH = 40
// Limits the time to score a message when many messages have the same beginning.
const MAX_REPEATS_READ = 200

/** A new request, and what is needed to compare it with earlier ones. */
export type Asked = {
  request: ContactRequest
  hash: string
  idempotencyKey: string | null
  client: string
  windowSeconds: number
}

/** The earlier requests that decide what happens to a new one. */
export type History = {
  /** The lead with the same idempotency key. */
  sameKey: { reference: string; contentHash: string } | undefined
  /** The newest lead with the same content, if it came in during the last ten minutes. */
  sameContent: { reference: string } | undefined
  /** What the client has used of its limit. */
  spent: Spent
  /** How many other addresses have sent this message in the last week. */
  otherSenders: number
}

type Parameters = {
  key: string | null
  hash: string
  client: string
  /** Null if the message is too short to count repeats. */
  message: string | null
  email: string
  duplicatesSince: string
  windowStart: string
  repeatsSince: string
  until: string
}

/** The columns of a single query for the whole history, because with PostgreSQL, each query is a round trip. */
function historyColumns(
  db: Pick<Database, 'selectFrom'>,
  asked: Record<keyof Parameters, Expression<string>>,
) {
  const sameKey = db.selectFrom('leads').where('idempotency_key', '=', asked.key)
  const sameContent = db
    .selectFrom('leads')
    .where('content_hash', '=', asked.hash)
    .where('created_at', '>', asked.duplicatesSince)
    .where('created_at', '<=', asked.until)
    .orderBy('created_at', 'desc')
    .limit(sql.lit(1))
  const accepted = acceptedBy(db, { client: asked.client, from: asked.windowStart, until: asked.until })
  const similar = db
    .selectFrom('leads')
    .select(['email', 'message'])
    // The left side must match the expression of the index `leads_by_message`, or the database won't use it.
    .where(sql<boolean>`substr(message, 1, 64) = substr(${asked.message}, 1, 64)`)
    .where('created_at', '>', asked.repeatsSince)
    .orderBy('created_at', 'desc')
    .limit(sql.lit(MAX_REPEATS_READ))
  const otherSenders = db
    .selectFrom(similar.as('similar'))
    .where('similar.message', '=', asked.message)
    .where('similar.email', '<>', asked.email)
  return [
    sameKey.select('reference').as('keyReference'),
    sameKey.select('content_hash').as('keyHash'),
    sameContent.select('reference').as('contentReference'),
    accepted.select((row) => row.fn.countAll<number>().as('used')).as('used'),
    accepted.select((row) => row.fn.min('at').as('oldest')).as('oldest'),
    otherSenders
      .select((row) => row.fn.count<number>('similar.email').distinct().as('senders'))
      .as('otherSenders'),
  ] as const
}

const parameterNames = [
  'key',
  'hash',
  'client',
  'message',
  'email',
  'duplicatesSince',
  'windowStart',
  'repeatsSince',
  'until',
] as const satisfies (keyof Parameters)[]

const mapNames = <Value>(toValue: (name: keyof Parameters) => Value) =>
  Object.fromEntries(parameterNames.map((name) => [name, toValue(name)])) as Record<keyof Parameters, Value>

// Without the cast, SQLite would prepare a query with `order by` again for each value, and preparing takes ten times as long
// as running the query.
const selectOne = prepared((db, asked: Parameters) =>
  db.selectNoFrom(
    historyColumns(
      db,
      mapNames((name) => sql<string>`cast(${asked[name]} as text)`),
    ),
  ),
)

// Only for PostgreSQL. `n` keeps the order of the requests.
const selectMany = prepared((db, { requests }: { requests: string }) =>
  db
    .selectFrom(
      sql`json_to_recordset(cast(${requests} as json))`.as<'asked'>(
        sql`asked (n integer, ${sql.join(parameterNames.map((name) => sql`${sql.id(name)} text`))})`,
      ),
    )
    .select(
      historyColumns(
        db,
        mapNames((name) => sql<string>`${sql.ref(`asked.${name}`)}`),
      ),
    )
    .orderBy(sql`asked.n`),
)

/** Reads, for each new request, the earlier requests that decide what happens to it. */
export async function readHistories<Request extends Asked>(
  db: Database,
  requests: readonly Request[],
  now: Date,
): Promise<[Request, History][]> {
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString()
  const parameters = requests.map(
    ({ request, hash, idempotencyKey, client, windowSeconds }): Parameters => ({
      key: idempotencyKey,
      hash,
      client,
      message: request.message.length >= MIN_REPEATED_LENGTH ? request.message : null,
      email: request.email,
      duplicatesSince: later(-DUPLICATE_WINDOW_MS),
      windowStart: later(-windowSeconds * 1000),
      repeatsSince: later(-REPEAT_WINDOW_MS),
      until: later(CLOCKS_AGREE_MS),
    }),
  )
  const rows = isShared(db)
    ? (await selectMany(db, { requests: JSON.stringify(parameters.map((asked, n) => ({ n, ...asked }))) }))
        .rows
    : (await Promise.all(parameters.map((asked) => selectOne(db, asked)))).flatMap(({ rows }) => rows)
  return requests.map((request, index) => [request, toHistory(rows[index])])
}

type Row = Awaited<ReturnType<typeof selectOne>>['rows'][number]

const toHistory = (row: Row | undefined): History => {
  const { keyReference, keyHash, contentReference, used, oldest, otherSenders } = row ?? {}
  return {
    sameKey: keyReference && keyHash ? { reference: keyReference, contentHash: keyHash } : undefined,
    sameContent: contentReference ? { reference: contentReference } : undefined,
    spent: { used: used ?? 0, oldest: oldest ?? null },
    otherSenders: otherSenders ?? 0,
  }
}
