import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Schema } from '../database/schema.ts'
import { isOpenSuspect } from '../leads/lead-store.ts'
import { readReference } from '../leads/reference.ts'
import { hashOf, idOfOurs } from './message-ids.ts'
import type { MailMessage } from './read-message.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// A new email about something else, long after a lead is done, doesn't belong to it.
const ACTIVE_DAYS = 90
const MAX_SAME_ID = 1_000
// The clock of the mail server may differ from ours.
const CLOCKS_MS = 5 * 60 * 1000
const referenceInText = /\bQ-[0-9A-Z]{4}-[0-9A-Z]{4}\b/

/** As much of a lead as says whether a message belongs to it. */
export type KnownLead = Pick<Selectable<Schema['leads']>, 'id' | 'reference' | 'email' | 'state'>
type Condition = RawBuilder<boolean>

/** What began later than this has nothing to do with a message that the mail server got then. */
export const latestFor = (receivedAt: string | undefined): string =>
  receivedAt ? new Date(Date.parse(receivedAt) + CLOCKS_MS).toISOString() : '9999'

const selectLead = (db: Database) =>
  db.selectFrom('leads').select(['leads.id', 'reference', 'email', 'leads.state'])

/** The lead whose reference is in a subject. Anybody can write it there. */
export async function ofReference(db: Database, subject: string, condition: Condition = isAny) {
  const reference = readReference(referenceInText.exec(subject)?.[0] ?? '')
  if (!reference) return undefined
  return selectLead(db).where('reference', '=', reference).where(condition).executeTakeFirst()
}

/**
 * The lead of the first of these emails that we sent. Its Message-ID begins with the ID of the
 * lead, or with the key of an answer.
 */
export async function ofOurEmail(db: Database, messageIds: readonly string[], condition: Condition = isAny) {
  for (const messageId of messageIds) {
    const [, id] = idOfOurs.exec(messageId) ?? []
    if (!id) continue
    const lead = await selectLead(db)
      .innerJoin('outbox', 'lead_id', 'leads.id')
      .where('message_id', '=', messageId)
      .where(({ or, eb, selectFrom }) =>
        or([
          eb('leads.id', '=', id),
          eb('leads.id', '=', selectFrom('lead_events').select('lead_id').where('key', '=', id)),
        ]),
      )
      .where(condition)
      .executeTakeFirst()
    if (lead) return lead
  }
  return undefined
}

/**
 * The lead of a stored message with one of the Message-IDs, the first of them if possible. Several
 * leads may have a message with the same one; then the newest counts.
 */
export async function ofStored(db: Database, messageIds: readonly string[], condition: Condition) {
  if (messageIds.length === 0) return undefined
  const hashes = messageIds.map(hashOf)
  const stored = await selectLead(db)
    .innerJoin('lead_events', 'lead_events.lead_id', 'leads.id')
    .select('message_hash as hash')
    .where('message_hash', 'in', hashes)
    // A stranger chooses the Message-ID of a bounce.
    .where('what', '<>', 'answer_failed')
    .where(condition)
    // Not sorted here: PostgreSQL would read all events in that order.
    .limit(MAX_SAME_ID)
    .execute()
  const rank = ({ hash }: { hash: string | null }) => hashes.indexOf(hash ?? '')
  const [closest] = stored.toSorted((one, other) => rank(one) - rank(other) || (one.id < other.id ? 1 : -1))
  return closest
}

const isAny = sql<boolean>`true`

// Conditions for a lead and one of its messages.
export const isOwners = sql<boolean>`what = 'answered_by_mail'`
export const isSentEmail = sql<boolean>`lead_events.joined in ('sent', 'shared')`
export const isOfOneLead = sql<boolean>`lead_events.joined = 'sent'`
export const isLeadFrom = (address: string): Condition => sql`lower(leads.email) = ${address}`
export const isTheirOwn = (address: string): Condition =>
  sql`(who = ${address} or ${isLeadFrom(address)} or ${isSentEmail} and ${involves([address])})`
export const isNewEmailOf = (address: string): Condition => sql`who = ${address} and joined = 'address'`

/**
 * An SQL condition for leads: one of the addresses is the lead's, or somebody has written from
 * there.
 */
export const involves = (addresses: readonly string[]): Condition =>
  addresses.length === 0
    ? sql`false`
    : sql`(lower(leads.email) in (${sql.join(addresses)}) or exists (select 1 from lead_events as replies
        where replies.lead_id = leads.id and replies.what = 'reply' and replies.who in (${sql.join(addresses)})))`

/** The lead about which somebody has written from this address last. */
export const newestWith = (db: Database, address: string) =>
  selectLead(db)
    .innerJoin('lead_events', 'lead_events.lead_id', 'leads.id')
    .where('who', '=', address)
    .where('what', '=', 'reply')
    .where('received', 'is not', null)
    .where('state', '<>', 'spam')
    // An expression, because otherwise PostgreSQL might read all events in this order.
    .orderBy(sql`lead_events.id + 0`, 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * The newest lead from an address that a message may be about, if it is open, or something has
 * happened to it lately. Suspected spam comes last: anybody can send a request in somebody else's
 * name.
 */
export async function newestOf(
  db: Database,
  { receivedAt }: Pick<MailMessage, 'receivedAt'>,
  address: string,
  now: Date,
): Promise<KnownLead | undefined> {
  const since = new Date(now.getTime() - ACTIVE_DAYS * DAY_MS).toISOString()
  const leads = await selectLead(db)
    .select(['follow_up_at', 'created_at', 'spam_score', 'verdict'])
    .select(sql<string | null>`(select max(at) from lead_events where lead_id = leads.id)`.as('last_at'))
    .where(isLeadFrom(address))
    .where('state', '<>', 'spam')
    // The message may be read late, or for the second time.
    .where('created_at', '<=', latestFor(receivedAt))
    .execute()
  const isActive = (lead: (typeof leads)[number]) =>
    lead.state === 'open' ||
    lead.follow_up_at !== null ||
    lead.created_at > since ||
    (lead.last_at ?? '') > since
  const [newest] = leads
    .filter(isActive)
    .toSorted(
      (one, other) =>
        Number(isOpenSuspect(one)) - Number(isOpenSuspect(other)) || (one.id < other.id ? 1 : -1),
    )
  return newest
}
