import { sql } from 'kysely'
import { CODE_TRIES, CODES_A_DAY, CODES_AN_HOUR, CODES_AT_ONCE } from '#shared/inbox/api.ts'
import { prepared } from '../../database/prepared.ts'
import type { Database } from '../../database/schema.ts'

/**
 * How many codes can be open (valid and unused) at once: in one browser; for all of an owner's known browsers (those that
 * the owner has signed in with) together; and for all unknown browsers together that ask for this owner's codes.
 */
export const MAX_OPEN = 3
/** How many codes one network can ask for in an hour. Known browsers are exempt: only their owner's limits apply. */
export const MAX_BY_CLIENT = 20
export const HOUR_MS = 60 * 60 * 1000

// How many emails with codes an owner gets in an hour for unknown browsers. The same number is allowed for known browsers.
const MAX_EMAILS = 6
// How many of the emails for unknown browsers one network can use up. These limits leave some emails for the owner, and keep
// a stranger from filling the owner's mailbox.
const MAX_EMAILS_BY_CLIENT = CODES_AN_HOUR
const MAX_EMAILS_BY_CLIENT_A_DAY = 10
const MAX_OPEN_BY_CLIENT = CODES_AT_ONCE
// Of requests that sent no email, only those among the newest of all are kept, and only the newest of all count toward
// MAX_BY_CLIENT. So whether an older request sent an email makes no difference to whoever made it.
const MAX_NEWEST = 1_000
// The clocks of replicas differ by less than this. A row from further in the future comes from a wrong clock.
const CLOCKS_AGREE_MS = 2_000

/**
 * What the limits need to know about recent requests. `byClient` and `oldestByClient` cover all requests from this client,
 * and `emailsForUnknownToday` all emails for unknown browsers. The other counts cover only requests that sent this owner an
 * email for a browser of the same kind, known or unknown.
 */
export type Recent = {
  byClient: number
  oldestByClient: string | null
  emails: number
  emailsByClient: number
  emailsByClientToday: number
  emailsForUnknownToday: number
  open: number
  openByClient: number
}

/** Whether another code may be sent to an owner. */
export const mayEmail = (recent: Recent, isKnown: boolean): boolean =>
  recent.emails < MAX_EMAILS &&
  recent.open < MAX_OPEN &&
  (isKnown ||
    (recent.emailsByClient < MAX_EMAILS_BY_CLIENT &&
      recent.emailsByClientToday < MAX_EMAILS_BY_CLIENT_A_DAY &&
      // Not locked across owners: requests for several of them at once can exceed it by one each.
      recent.emailsForUnknownToday < CODES_A_DAY &&
      recent.openByClient < MAX_OPEN_BY_CLIENT))

type CountInput = {
  client: string
  owner: string
  isKnown: 0 | 1
  now: string
  hourAgo: string
  until: string
}

/** The time of the oldest of the newest requests; no row if there are fewer. */
const endOfNewest = (db: Pick<Database, 'selectFrom'>) =>
  db
    .selectFrom('sign_ins')
    .select('created_at')
    .where('kind', '=', 'code')
    .orderBy('created_at', 'desc')
    .offset(MAX_NEWEST - 1)
    .limit(1)

// Reads the whole table, which is small.
const countRecent = prepared((db, { client, owner, isKnown, now, hourAgo, until }: CountInput) => {
  const sameClient = sql<boolean>`client = ${client}`
  const lately = sql<boolean>`created_at > ${hourAgo}`
  const counts = sql<boolean>`${sameClient} and ${lately} and created_at > coalesce((${endOfNewest(db)}), '')`
  const email = sql<boolean>`owner = ${owner} and is_known = ${isKnown}`
  const open = sql<boolean>`${email} and used_at is null and tries < ${sql.lit(CODE_TRIES)} and ends_at > ${now}`
  return db
    .selectFrom('sign_ins')
    .select(({ fn }) => [
      fn.countAll<number>().filterWhere(counts).as('byClient'),
      fn.min('created_at').filterWhere(counts).as('oldestByClient'),
      fn.countAll<number>().filterWhere(sql<boolean>`${email} and ${lately}`).as('emails'),
      fn
        .countAll<number>()
        .filterWhere(sql<boolean>`${email} and ${lately} and ${sameClient}`)
        .as('emailsByClient'),
      fn.countAll<number>().filterWhere(sql<boolean>`${email} and ${sameClient}`).as('emailsByClientToday'),
      fn
        .countAll<number>()
        .filterWhere(sql<boolean>`owner is not null and is_known = 0`)
        .as('emailsForUnknownToday'),
      fn.countAll<number>().filterWhere(open).as('open'),
      fn.countAll<number>().filterWhere(sql<boolean>`${open} and ${sameClient}`).as('openByClient'),
    ])
    .where('kind', '=', 'code')
    .where('created_at', '<=', until)
})

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds).toISOString()

export async function readRecent(
  db: Database,
  about: { client: string; owner: string; isKnown: boolean },
  now: Date,
): Promise<Recent> {
  const { rows } = await countRecent(db, {
    ...about,
    isKnown: about.isKnown ? 1 : 0,
    now: now.toISOString(),
    hourAgo: later(now, -HOUR_MS),
    until: later(now, CLOCKS_AGREE_MS),
  })
  const [recent] = rows
  if (!recent) throw new Error('The count returned no row.')
  return recent
}

/**
 * Deletes requests that no longer count toward a limit. Also deletes strangers' requests that are not among the newest,
 * so that the table stays small however many strangers ask.
 */
export async function forgetRequests(db: Database, now: Date): Promise<void> {
  await db
    .deleteFrom('sign_ins')
    .where(({ or, and, eb }) =>
      or([
        eb('created_at', '<=', later(now, -24 * HOUR_MS)),
        and([eb('owner', 'is', null), eb('created_at', '<=', later(now, -HOUR_MS))]),
        and([eb('owner', 'is', null), eb('created_at', '<=', endOfNewest(db))]),
        // The clock was wrong: no two replicas differ by a day.
        eb('created_at', '>', later(now, 24 * HOUR_MS)),
      ]),
    )
    .execute()
}
