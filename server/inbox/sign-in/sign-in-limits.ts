import { CODE_TRIES, CODES_A_DAY, CODES_AN_HOUR, CODES_AT_ONCE } from '#shared/inbox/api.ts'
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

type Asking = { client: string; owner: string | undefined; isKnown: boolean }

/**
 * What the limits say about another request for a code: whether an email may be sent, and since when this network has asked
 * too often (undefined if it hasn't). The limits on emails count only those to this owner for browsers of the same kind, known
 * or unknown.
 */
export async function checkLimits(db: Database, { client, owner, isKnown }: Asking, now: Date) {
  // Reads the whole table, which is small: see `forgetRequests`.
  const requests = await db
    .selectFrom('sign_ins')
    .select(['client', 'owner', 'is_known', 'tries', 'created_at', 'ends_at', 'used_at'])
    .where('kind', '=', 'code')
    .where('created_at', '<=', later(now, CLOCKS_AGREE_MS))
    .orderBy('created_at', 'desc')
    .execute()
  const oldestCounted = requests[MAX_NEWEST - 1]?.created_at ?? ''
  const isRecent = ({ created_at }: { created_at: string }) => created_at > later(now, -HOUR_MS)
  const isTheirs = (request: { client: string }) => request.client === client
  const asked = requests.filter(
    (request) => isTheirs(request) && isRecent(request) && request.created_at > oldestCounted,
  )
  const emails = requests.filter(
    (request) => request.owner !== null && request.owner === owner && request.is_known === Number(isKnown),
  )
  const recent = emails.filter(isRecent)
  const open = emails.filter(
    ({ used_at, tries, ends_at }) => used_at === null && tries < CODE_TRIES && ends_at > now.toISOString(),
  )
  const forUnknown = requests.filter((request) => request.owner !== null && request.is_known === 0)
  return {
    tooManySince: !isKnown && asked.length >= MAX_BY_CLIENT ? asked.at(-1)?.created_at : undefined,
    mayEmail:
      recent.length < MAX_EMAILS &&
      open.length < MAX_OPEN &&
      (isKnown ||
        (recent.filter(isTheirs).length < MAX_EMAILS_BY_CLIENT &&
          emails.filter(isTheirs).length < MAX_EMAILS_BY_CLIENT_A_DAY &&
          open.filter(isTheirs).length < MAX_OPEN_BY_CLIENT &&
          // Not locked across owners: requests for several of them at once can exceed it by one each.
          forUnknown.length < CODES_A_DAY)),
  }
}

const later = (time: Date, milliseconds: number) => new Date(time.getTime() + milliseconds).toISOString()

/** The time of the oldest of the newest requests; no row if there are fewer. */
const endOfNewest = (db: Database) =>
  db
    .selectFrom('sign_ins')
    .select('created_at')
    .where('kind', '=', 'code')
    .orderBy('created_at', 'desc')
    .offset(MAX_NEWEST - 1)
    .limit(1)

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
