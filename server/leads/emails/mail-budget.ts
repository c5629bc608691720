import { sql } from 'kysely'
import type { Database } from '../../database/schema.ts'
import type { Lead } from '../lead-store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/**
 * Lists name every lead of which something got no notice. They come often enough that each is named
 * within an hour, but cost each owner only 32 emails a day.
 */
export const LIST_EVERY_MS = 45 * MINUTE_MS
/**
 * How many replies to a lead get a notice each while no owner answers. It also keeps them from
 * filling the queue while the mail server is down.
 */
export const MAX_UNANSWERED_REPLIES = 15
/** A time further in the future comes from a wrong clock. */
export const CLOCKS_AGREE_MS = 2_000
/** Bounds the work for each request if EMAILS_A_DAY is large. */
export const MAX_RECEIPTS = 200

export type MailBudget = ReturnType<typeof mailBudget>

/**
 * Divides what the mail provider takes in a day (`EMAILS_A_DAY`; 0: any number) among the emails
 * that strangers can cause. They are counted in emails: a notice to two owners is two. Of 300
 * emails with two owners, strangers can cause these:
 *
 * - 74 notices of requests and replies: a quarter, in whole notices. `shares` divides it further.
 * - 30 receipts: a tenth, at most `MAX_RECEIPTS`. `maySendReceipt` divides it further.
 * - 64 lists, a reserve: one every `LIST_EVERY_MS` to each owner. A lead of which a request or a
 *   reply gets no notice, for lack of room or because too many replies were not answered, is marked
 *   `awaits_list`: the next list names it.
 * - 30 sign-in codes, a reserve: `CODES_A_DAY`, for browsers in which no owner has signed in
 *   before.
 * - About 20 reminders: at most one in each office hour to each owner.
 *
 * The rest, about a quarter, is for what owners cause: answers, their copies, codes, and reports.
 * In the queue, codes and answers come first, and a list comes before what has waited longer.
 */
export function mailBudget(emailsADay: number, owners: number) {
  const share = (part: number) => (emailsADay === 0 ? Infinity : Math.floor(emailsADay / part))
  return {
    owners,
    /** Requests and replies of which each owner gets a notice. */
    noticed: Math.max(1, Math.floor(share(4) / owners)),
    receipts: Math.min(MAX_RECEIPTS, Math.max(1, share(10))),
  }
}

/**
 * Up to which part of the notices each of these may still use them. So what strangers write before
 * an answer leaves room for requests and for replies to answers, and replies leave room for
 * requests.
 */
const shares = {
  request: 1,
  suspect: 0.4,
  'reply before an answer': 0.2,
  'reply after an answer': 0.7,
}
// How much of the notices may be about one network: that of somebody who has never got an answer.
const NETWORK_SHARE = 0.1
// With the default settings, a network can't send as many requests in a day.
const MAX_OF_NETWORK = 200

type About = 'request' | 'reply'

/**
 * `isAnswered`: whether the person has ever got an answer. Strangers can forge that, about a lead
 * of theirs.
 */
function sortOf(about: About, lead: { isAnswered: boolean; isSuspect: boolean }): keyof typeof shares {
  if (about === 'reply') return lead.isAnswered ? 'reply after an answer' : 'reply before an answer'
  return lead.isSuspect ? 'suspect' : 'request'
}

type Deps = { db: Database; budget: MailBudget; now: () => Date }

/**
 * Whether there is room for one email that tells an owner about a request or a reply. The few that
 * are being sent right now don't count yet.
 */
export async function hasNoticeRoom(
  { db, budget, now }: Deps,
  { id, spam }: Lead,
  about: About,
): Promise<boolean> {
  const { noticed, owners } = budget
  if (noticed === Infinity) return true
  const at = now()
  const { client, answered_at } = await db
    .selectFrom('leads')
    .select(['client', 'answered_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const sort = sortOf(about, { isAnswered: answered_at !== null, isSuspect: spam.isSuspect })
  // The second owner's email is part of a notice that has begun.
  const told = Math.floor((await countSent(db, at, noticed * owners)) / owners)
  if (told >= noticed * shares[sort]) return false
  if (sort === 'reply after an answer' || !client) return true
  const ofNetwork = Math.floor((await countOfNetwork(db, { id, client }, at)) / owners)
  return ofNetwork < Math.max(1, noticed * NETWORK_SHARE)
}

const daysStart = (now: Date) => new Date(now.getTime() - DAY_MS).toISOString()

/** Counts the notices of the last day, at most `max`. */
async function countSent(db: Database, now: Date, max: number): Promise<number> {
  const sent = db
    .selectFrom('outbox')
    .select(sql`1`.as('one'))
    .where('kind', '=', 'owner_notice')
    .where('sent_at', '>', daysStart(now))
    .where('sent_at', '<=', new Date(now.getTime() + CLOCKS_AGREE_MS).toISOString())
    .limit(max)
  const { count } = await db
    .selectFrom(sent.as('sent'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Counts the notices of the last day about other leads of the same network. */
async function countOfNetwork(db: Database, { id, client }: { id: string; client: string }, now: Date) {
  const others = db
    .selectFrom('leads')
    .select('id')
    .where('client', '=', client)
    .where('id', '<>', id)
    .limit(MAX_OF_NETWORK)
  const { count } = await db
    .selectFrom(others.as('others'))
    .innerJoin('outbox', 'outbox.lead_id', 'others.id')
    .where('kind', '=', 'owner_notice')
    // Written so that no index for all notices of the day fits.
    .where(sql`coalesce(sent_at, '')`, '>', daysStart(now))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
