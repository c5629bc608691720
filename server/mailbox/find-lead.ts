import { createHash } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Joined, Schema } from '../database/schema.ts'
import { isOpenSuspect } from '../leads/lead-store.ts'
import { readReference } from '../leads/reference.ts'
import type { MailMessage } from './read-message.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// A new email about something else, long after a lead is done, doesn't belong to it.
const ACTIVE_DAYS = 90
const MAX_SAME_ID = 1_000
// The clock of the mail server may differ from ours.
const CLOCKS_MS = 5 * 60 * 1000
/** Finds the ID of the lead in the Message-ID of an email about it. */
export const idOfOurs = /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[.-]/
const referenceInText = /\bQ-[0-9A-Z]{4}-[0-9A-Z]{4}\b/

/** The hash of a Message-ID, because senders choose them, and they can be long. */
export const hashOf = (messageId: string): string =>
  createHash('sha256').update(messageId).digest('base64url')

/**
 * The key of the event that stores a message with a lead. The Message-ID alone isn't enough:
 * somebody who knows it could send another message first, which would then stand for this one.
 */
export const eventKeyOf = (leadId: string, { messageId, bodyHash }: MailMessage, who: string): string =>
  `mail ${hashOf([leadId, who, messageId, bodyHash].join(' '))}`

/** The keys that a message's event may have: those of earlier versions had only the Message-ID. */
export const keysOf = (leadId: string, message: MailMessage, who: string): string[] => [
  eventKeyOf(leadId, message, who),
  `mail ${hashOf(message.messageId)}`,
]

/** What began later than this has nothing to do with a message that the mail server got then. */
export const latestFor = (receivedAt: string | undefined): string =>
  receivedAt ? new Date(Date.parse(receivedAt) + CLOCKS_MS).toISOString() : '9999'

/** Whether somebody has written a message for its receiver, judging by its headers. */
export const isLetter = ({ isAutomatic, isNewsletter }: MailMessage): boolean => !isAutomatic && !isNewsletter

/** As much of a lead as says whether a message belongs to it, and why it does. */
export type FoundLead = Pick<Selectable<Schema['leads']>, 'id' | 'reference' | 'email' | 'state'> & {
  joined: Joined
}
type Asked = Pick<MailMessage, 'messageId' | 'answers' | 'subject' | 'receivedAt'>

/**
 * The lead that a visitor's message belongs to. Its sender chooses every header, so each proves
 * only this:
 *
 * - Whoever names a Message-ID that we made, or one of an owner's email to people of this lead, and
 *   of no other, has got that email, perhaps forwarded. The message belongs to the lead, whoever
 *   has sent it.
 * - An owner's email to people of several leads: the answer of each belongs to his own lead.
 *   Anybody else's must not get lost, and belongs to the newest.
 * - The Message-ID of a visitor's message can be that of an email which many people have got. It
 *   counts only if `address` has written that message, or is the lead's.
 * - The reference, and a new email, count only if `address` is the lead's. That can be forged.
 */
export async function findLead(
  db: Database,
  message: Asked,
  address: string,
  now: Date,
): Promise<FoundLead | undefined> {
  const { answers, subject } = message
  const ours = (await ofOurEmail(db, answers)) ?? (await ofStored(db, answers, isOfOneLead))
  if (ours) return { ...ours, joined: 'ours' }
  if (address === '') return findShared(db, answers)
  const theirs = await ofStored(db, answers, isTheirOwn(address))
  if (theirs) return { ...theirs, joined: 'theirs' }
  const named = await ofReference(db, subject, isFrom(address))
  if (named) return { ...named, joined: 'reference' }
  // What answers an email that isn't about a lead is about something else.
  if (answers.length > 0) return findShared(db, answers)
  return findByAddress(db, message, address, now)
}

/** The newest of the leads to whose people an owner has sent one of these emails. */
async function findShared(db: Database, answers: readonly string[]): Promise<FoundLead | undefined> {
  const shared = await ofStored(db, answers, isSent)
  return shared && { ...shared, joined: 'theirs' }
}

/**
 * The lead that somebody's letter about spam belongs to instead: the newest from this address, if
 * any. The spam may have been sent in this person's name. The letter proves nothing about that
 * lead.
 */
export async function insteadOfSpam(
  db: Database,
  found: FoundLead,
  message: MailMessage,
  address: string,
  now: Date,
): Promise<FoundLead> {
  if (found.state !== 'spam' || !isLetter(message)) return found
  return (await findByAddress(db, message, address, now)) ?? found
}

/** The lead that a new email from an address belongs to. */
async function findByAddress(db: Database, message: Asked, address: string, now: Date) {
  // If the mailbox is read for the second time, there may be a newer lead.
  const newest =
    (await ofStored(db, [message.messageId], isNewEmailOf(address))) ??
    (await newestOf(db, message, address, now))
  return newest && { ...newest, joined: 'address' as const }
}

/**
 * The lead to which an owner's message in the inbox belongs: of all headers, only our Message-IDs
 * can't be guessed.
 */
export async function findOurs(
  db: Database,
  { answers, to }: Pick<MailMessage, 'answers' | 'to'>,
): Promise<FoundLead | undefined> {
  const ours = await ofOurEmail(db, answers, takesPart(to))
  return ours && { ...ours, joined: 'ours' }
}

/**
 * The leads of the people to whom an owner has sent a message: of each, the one that the message
 * names or, if it names none, the newest. Only owners can put a message into the folder of sent
 * messages, so its headers are true.
 */
export async function findLeadsOfSent(
  db: Database,
  message: Asked,
  people: readonly string[],
  now: Date,
): Promise<FoundLead[]> {
  const { messageId, answers, subject } = message
  const found: (KnownLead | undefined)[] = []
  const named = await namedBy(db, answers, people)
  for (const address of people) {
    const isTheirs = takesPart([address])
    found.push(
      (await namedBy(db, answers, [address])) ??
        (await ofReference(db, subject, isTheirs)) ??
        // If the mailbox is read for the second time, there may be a newer lead.
        (await ofStored(db, [messageId], sql`${isSent} and ${isTheirs}`)) ??
        (await newestOf(db, message, address, now)) ??
        // Anybody can have written in this person's name about a lead of their own.
        named ??
        (await newestWith(db, address)),
    )
  }
  const leads = new Map(found.flatMap((lead) => (lead ? [[lead.id, lead]] : [])))
  const joined = leads.size === 1 ? 'sent' : 'shared'
  return [...leads.values()].map((lead) => ({ ...lead, joined }))
}

/** The lead that an owner's message names, if it goes to one of the people there. */
async function namedBy(db: Database, answers: readonly string[], people: readonly string[]) {
  const isOfOne = takesPart(people)
  return (await ofOurEmail(db, answers, isOfOne)) ?? ofStored(db, answers, isOfOne)
}

/**
 * The lead of an email with this Message-ID that we, or an owner, have sent. An owner's email may
 * belong to several leads: then that of one of these people, if there is one.
 */
export const leadOfSent = async (
  db: Database,
  messageId: string,
  people: readonly string[] = [],
): Promise<KnownLead | undefined> =>
  (await ofOurEmail(db, [messageId])) ??
  (await ofStored(db, [messageId], sql`${isOwners} and ${takesPart(people)}`)) ??
  ofStored(db, [messageId], isOwners)

/**
 * Whether we sent the message ourselves: some mail services put copies of it into the folder of
 * sent messages.
 */
export const isOurs = async (db: Database, messageId: string): Promise<boolean> =>
  (await ofOurEmail(db, [messageId])) !== undefined

export type KnownLead = Omit<FoundLead, 'joined'>
type Condition = RawBuilder<boolean>

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
async function ofOurEmail(db: Database, messageIds: readonly string[], condition: Condition = isAny) {
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
async function ofStored(db: Database, messageIds: readonly string[], condition: Condition) {
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
const isOwners = sql<boolean>`what = 'answered_by_mail'`
const isSent = sql<boolean>`lead_events.joined in ('sent', 'shared')`
const isOfOneLead = sql<boolean>`lead_events.joined = 'sent'`
const isFrom = (address: string): Condition => sql`lower(leads.email) = ${address}`
const isTheirOwn = (address: string): Condition =>
  sql`(who = ${address} or ${isFrom(address)} or ${isSent} and ${takesPart([address])})`
const isNewEmailOf = (address: string): Condition => sql`who = ${address} and joined = 'address'`

/**
 * An SQL condition for leads: one of the addresses is the lead's, or somebody has written from
 * there.
 */
const takesPart = (addresses: readonly string[]): Condition =>
  addresses.length === 0
    ? sql`false`
    : sql`(lower(leads.email) in (${sql.join(addresses)}) or exists (select 1 from lead_events as replies
        where replies.lead_id = leads.id and replies.what = 'reply' and replies.who in (${sql.join(addresses)})))`

/** The lead about which somebody has written from this address last. */
const newestWith = (db: Database, address: string) =>
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
async function newestOf(
  db: Database,
  message: Asked,
  address: string,
  now: Date,
): Promise<KnownLead | undefined> {
  const since = new Date(now.getTime() - ACTIVE_DAYS * DAY_MS).toISOString()
  const leads = await selectLead(db)
    .select(['follow_up_at', 'created_at', 'spam_score', 'verdict'])
    .select(sql<string | null>`(select max(at) from lead_events where lead_id = leads.id)`.as('last_at'))
    .where(isFrom(address))
    .where('state', '<>', 'spam')
    // The message may be read late, or for the second time.
    .where('created_at', '<=', latestFor(message.receivedAt))
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
