import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { type ContactRequest, contactFieldNames } from '#shared/contact-request.ts'
import { prepared } from '../database/prepared.ts'
import type { Database } from '../database/schema.ts'
import { type ContactLimit, countedPeriods } from './contact-limit.ts'

// Long enough for a double click, a reload or a second try, but short enough to allow a real second
// request.
const DUPLICATE_WINDOW_MS = 10 * 60 * 1000
const REPEAT_WINDOW_MS = 7 * 24 * 60 * 60 * 1000
// Shorter messages ("Please call me back.") may be the same by chance.
const MIN_REPEATED_LENGTH = 40
// Limits the time to score a message that was sent very often.
const MAX_REPEATS_READ = 200
// In base64url: 132 bits.
const HASH_LENGTH = 22

/** What is needed to compare a new request with earlier ones. */
export type Asked = {
  contentHash: string
  idempotencyKey: string | null
  /** The keyed hash of the client's network. */
  client: string
  /** The signed part of the form token. */
  formToken: string | null
}

/** What needs to be known about earlier requests, to decide what happens to a new one. */
export type Earlier = Awaited<ReturnType<typeof readEarlier>>

const digest = (text: string) => hash('sha256', text, 'base64url').slice(0, HASH_LENGTH)

/**
 * Identifies the content of a request: a hash of the message, then a hash of all fields that are
 * filled in, so that a new optional field changes no stored hash. The same index finds requests
 * with the same content, and those with the same message.
 */
export const contentHash = (request: ContactRequest): string =>
  digest(request.message) +
  digest(
    JSON.stringify(contactFieldNames.flatMap((field) => (request[field] ? [field, request[field]] : []))),
  )

/** The part of a content hash that requests with the same message have in common. */
export const messageHash = (contentHash: string): string => contentHash.slice(0, HASH_LENGTH)

type Parameters = Asked &
  ReturnType<typeof countedPeriods> & {
    email: string
    /** Null if the message is too short to be counted as a repeat. */
    message: string | null
    duplicatesSince: string
    repeatsSince: string
  }

// Has literal limits and no order: otherwise, SQLite would prepare the statement again for each
// request, which takes six times as long as running it.
const selectHistory = prepared((db, asked: Parameters) => {
  const leads = db.selectFrom('leads')
  const ofClient = leads
    .where('client', '=', asked.client)
    .where('created_at', '>', asked.dayStart)
    .where('created_at', '<=', asked.until)
  const sameContent = leads.where('content_hash', '=', asked.contentHash)
  const repeats = leads
    .select(sql<string>`lower(email)`.as('email'))
    .where('content_hash', '>=', asked.message)
    .where('content_hash', '<', sql<string>`${asked.message} || '~'`)
    .where('created_at', '>', asked.repeatsSince)
    .where(sql<boolean>`lower(email) <> lower(${asked.email})`)
    .limit(sql.lit(MAX_REPEATS_READ))
  const spent = ofClient.select(({ fn }) => [
    fn.countAll<number>().filterWhere('created_at', '>', asked.windowStart).as('used'),
    fn.min('created_at').filterWhere('created_at', '>', asked.windowStart).as('oldest'),
    fn.countAll<number>().as('usedToday'),
    fn.min('created_at').as('oldestToday'),
  ])
  return db
    .selectFrom(spent.as('spent'))
    .selectAll()
    .select(({ exists, selectFrom }) => [
      // The lead with the same idempotency key and the same content.
      sameContent
        .where('idempotency_key', '=', asked.idempotencyKey)
        .select('reference')
        .limit(sql.lit(1))
        .as('sameKey'),
      sameContent
        .where('created_at', '>', asked.duplicatesSince)
        .where('created_at', '<=', asked.until)
        // The page gives each request a key, unless its script has not been loaded yet.
        .where(sql<boolean>`(cast(${asked.idempotencyKey} as text) is null or idempotency_key is null)`)
        .select('reference')
        .limit(sql.lit(1))
        .as('sameContent'),
      // Whether the client has used the key for a lead in the last day.
      exists(ofClient.where('idempotency_key', '=', asked.idempotencyKey).select('id')).as('isKeyUsed'),
      // Whether the client has used the form token for a lead. A token is good for a day.
      exists(ofClient.where('form_token', '=', asked.formToken).select('id')).as('isTokenUsed'),
      // How many other addresses have sent the message.
      selectFrom(repeats.as('repeats'))
        .select(({ fn }) => fn.count<number>('email').distinct().as('senders'))
        .as('otherSenders'),
    ])
})

/** Reads what is stored about earlier requests. */
export async function readEarlier(
  db: Database,
  request: ContactRequest,
  asked: Asked,
  contactLimit: ContactLimit,
  now: Date,
) {
  const since = (milliseconds: number) => new Date(now.getTime() - milliseconds).toISOString()
  const { rows } = await selectHistory(db, {
    ...asked,
    ...countedPeriods(now, contactLimit),
    email: request.email,
    message: request.message.length < MIN_REPEATED_LENGTH ? null : messageHash(asked.contentHash),
    duplicatesSince: since(DUPLICATE_WINDOW_MS),
    repeatsSince: since(REPEAT_WINDOW_MS),
  })
  const [history] = rows
  if (!history) throw new Error('The history of a request is missing.')
  return { ...history, otherSenders: history.otherSenders ?? 0 }
}
