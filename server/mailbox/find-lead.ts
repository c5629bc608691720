import { createHash } from 'node:crypto'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Joined, Schema } from '../database/schema.ts'
import { readReference } from '../leads/reference.ts'
import type { Message } from './read-message.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// A new email about something else, long after a lead is done, doesn't belong to it.
const ACTIVE_DAYS = 90
const idOfOurs = /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[.-]/
const referenceInText = /\bQ-[0-9A-Z]{4}-[0-9A-Z]{4}\b/

/** The hash of a Message-ID, because senders choose them, and they can be long. */
export const hashOf = (messageId: string): string =>
  createHash('sha256').update(messageId).digest('base64url')

/**
 * The key of the event that stores a message with a lead. The Message-ID alone isn't enough: somebody who knows it could send
 * another message first, which would then stand for this one.
 */
export const keyOf = (leadId: string, { messageId, bodyHash }: Message, who: string): string =>
  `mail ${hashOf([leadId, who, messageId, bodyHash].join(' '))}`

/** Whether the headers of a message could belong to a lead, so that its text is worth reading. */
export const mayBelongToLead = ({ answers, subject }: Pick<Message, 'answers' | 'subject'>): boolean =>
  answers.length > 0 || referenceInText.test(subject)

/** As much of a lead as says whether a message belongs to it, and why it does. */
export type Found = Pick<Selectable<Schema['leads']>, 'id' | 'reference' | 'email'> & { joined: Joined }
type Asked = Pick<Message, 'answers' | 'subject'>

/**
 * The lead that a visitor's message belongs to. Its sender chooses every header, so each proves only this:
 *
 * - Whoever names a Message-ID that we made, or one of an owner's email to this person alone, has
 *   got that email, perhaps forwarded. The message belongs to the lead, whoever has sent it.
 * - The Message-ID of a visitor's message can be that of an email which many people have got. It
 *   counts only if `address` is one to which the emails of this lead go.
 * - The reference, and a new email, count only if `address` is the lead's. That can be forged.
 */
export async function findLead(
  db: Database,
  { answers, subject }: Asked,
  address: string,
  now: Date,
): Promise<Found | undefined> {
  const ours = await first(answers, async (id) => (await ofOurEmail(db, id)) ?? ofStored(db, id, isPrivate))
  if (ours) return { ...ours, joined: 'ours' }
  const theirs = await first(answers, (id) => ofStored(db, id, goesTo(address)))
  if (theirs) return { ...theirs, joined: 'theirs' }
  const named = await ofReference(db, subject, isFrom(address))
  if (named) return { ...named, joined: 'reference' }
  // What answers an email that isn't about a lead is about something else.
  const newest = answers.length === 0 ? await newestOf(db, address, now) : undefined
  return newest && { ...newest, joined: 'address' }
}

/** The lead to which an owner's message in the inbox belongs: of all headers, only our Message-IDs can't be guessed. */
export async function findOurs(
  db: Database,
  { answers, to }: Pick<Message, 'answers' | 'to'>,
): Promise<Found | undefined> {
  const ours = await first(answers, (id) => ofOurEmail(db, id, takesPart(to)))
  return ours && { ...ours, joined: 'ours' }
}

/**
 * The leads of the people to whom an owner has sent a message: of each, the one that the message names or, if it names none,
 * the newest. Only owners can put a message into the folder of sent messages, so its headers are true.
 */
export async function findLeadsOfSent(
  db: Database,
  { answers, subject, to }: Pick<Message, 'answers' | 'subject' | 'to'>,
  now: Date,
): Promise<Found[]> {
  const joined = to.length === 1 ? 'sent' : 'shared'
  const leads = new Map<string, Found>()
  for (const address of to) {
    const isTheirs = takesPart([address])
    const lead =
      (await first(answers, (id) => ofOurEmail(db, id, isTheirs))) ??
      (await first(answers, (id) => ofStored(db, id, isTheirs))) ??
      (await ofReference(db, subject, isTheirs)) ??
      (await newestOf(db, address, now))
    if (lead) leads.set(lead.id, { ...lead, joined })
  }
  return [...leads.values()]
}

/** The lead of an email with this Message-ID that we, or an owner, have sent. */
export const leadOfSent = async (db: Database, messageId: string): Promise<StoredLead | undefined> =>
  (await ofOurEmail(db, messageId)) ?? ofStored(db, messageId, isSent)

/** The lead whose reference is in a subject. Anybody can write it there. */
export const leadNamedIn = (db: Database, subject: string): Promise<StoredLead | undefined> =>
  ofReference(db, subject, isAny)

/** Whether we sent the message ourselves: some mail services put copies of it into the folder of sent messages. */
export const isOurs = async (db: Database, messageId: string): Promise<boolean> =>
  (await ofOurEmail(db, messageId)) !== undefined

export type StoredLead = Omit<Found, 'joined'>
type Condition = RawBuilder<boolean>

/** The first lead that is found for one of the Message-IDs. */
async function first(ids: readonly string[], find: (id: string) => Promise<StoredLead | undefined>) {
  for (const id of ids) {
    const lead = await find(id)
    if (lead) return lead
  }
  return undefined
}

const selectLead = (db: Database) => db.selectFrom('leads').select(['leads.id', 'reference', 'email'])

async function ofReference(db: Database, subject: string, condition: Condition) {
  const reference = readReference(referenceInText.exec(subject)?.[0] ?? '')
  if (!reference) return undefined
  return selectLead(db).where('reference', '=', reference).where(condition).executeTakeFirst()
}

/** The lead of an email that we sent. Its Message-ID begins with the ID of the lead, or with the key of an answer. */
async function ofOurEmail(db: Database, messageId: string, condition: Condition = isAny) {
  const [, id] = idOfOurs.exec(messageId) ?? []
  if (!id) return undefined
  return selectLead(db)
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
}

/** The lead of a stored message. Several messages may have the same Message-ID; then the newest counts. */
const ofStored = (db: Database, messageId: string, condition: Condition) =>
  selectLead(db)
    .innerJoin('lead_events', 'lead_events.lead_id', 'leads.id')
    .where('message_hash', '=', hashOf(messageId))
    .where(condition)
    .orderBy('lead_events.id', 'desc')
    .limit(1)
    .executeTakeFirst()

const isAny = sql<boolean>`true`
const isPrivate = sql<boolean>`lead_events.joined = 'sent'`
const isSent = sql<boolean>`lead_events.joined in ('sent', 'shared')`
const isFrom = (address: string): Condition => sql`lower(leads.email) = ${address}`

/** An SQL condition for leads: it has this address, or an owner has answered there. */
const goesTo = (
  address: string,
): Condition => sql`(${isFrom(address)} or exists (select 1 from outbox as emails
  where emails.lead_id = leads.id and emails.kind = 'answer' and lower(emails.recipient) = ${address}))`

/** The same, but somebody who has written in the conversation is enough. For messages that only owners can have sent. */
const takesPart = (addresses: readonly string[]): Condition =>
  sql`(lower(leads.email) in (${sql.join(['', ...addresses])}) or exists (select 1 from lead_events as replies
    where replies.lead_id = leads.id and replies.what = 'reply' and replies.who in (${sql.join(['', ...addresses])})))`

/** The newest lead from an address, if it is open, or something has happened to it lately. */
const newestOf = (db: Database, address: string, now: Date) => {
  const since = new Date(now.getTime() - ACTIVE_DAYS * DAY_MS).toISOString()
  return selectLead(db)
    .where(isFrom(address))
    .where('state', '<>', 'spam')
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('state', '=', 'open'),
        eb('follow_up_on', 'is not', null),
        eb('created_at', '>', since),
        exists(
          selectFrom('lead_events').select('id').whereRef('lead_id', '=', 'leads.id').where('at', '>', since),
        ),
      ]),
    )
    .orderBy('leads.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
