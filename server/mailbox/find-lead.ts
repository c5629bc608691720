import { sql } from 'kysely'
import type { Database, Joined } from '../database/schema.ts'
import {
  involves,
  isLeadFrom,
  isNewEmailOf,
  isOfOneLead,
  isOwners,
  isSentEmail,
  isTheirOwn,
  type KnownLead,
  newestOf,
  newestWith,
  ofOurEmail,
  ofReference,
  ofStored,
} from './lead-queries.ts'
import { hashOf, wentToVisitor } from './message-ids.ts'
import type { MailMessage } from './read-message.ts'

/** A lead to which a message belongs, and why it does. */
export type FoundLead = KnownLead & { joined: Joined }
type Asked = Pick<MailMessage, 'messageId' | 'answers' | 'subject' | 'receivedAt'>

/** Whether somebody has written a message for its receiver, judging by its headers. */
export const isLetter = ({ isAutomatic, isNewsletter }: MailMessage): boolean => !isAutomatic && !isNewsletter

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
  const named = await ofReference(db, subject, isLeadFrom(address))
  if (named) return { ...named, joined: 'reference' }
  const shared = await findShared(db, answers)
  // What answers an email that isn't about a lead is about something else, unless that is erased.
  if (shared || (answers.length > 0 && !answers.some(wentToVisitor))) return shared
  return findByAddress(db, message, address, now)
}

/** The newest of the leads to whose people an owner has sent one of these emails. */
async function findShared(db: Database, answers: readonly string[]): Promise<FoundLead | undefined> {
  const shared = await ofStored(db, answers, isSentEmail)
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
 * The lead to which an owner's message in the inbox belongs: of all headers, only the Message-IDs
 * of what we or owners have sent can't be guessed.
 */
export async function findOurs(
  db: Database,
  { answers, to }: Pick<MailMessage, 'answers' | 'to'>,
): Promise<FoundLead | undefined> {
  const isTheirs = involves(to)
  const ours =
    (await ofOurEmail(db, answers, isTheirs)) ??
    (await ofStored(db, answers, sql`${isOfOneLead} and ${isTheirs}`))
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
    const isTheirs = involves([address])
    found.push(
      (await namedBy(db, answers, [address])) ??
        (await ofReference(db, subject, isTheirs)) ??
        // If the mailbox is read for the second time, there may be a newer lead.
        (await ofStored(db, [messageId], sql`${isSentEmail} and ${isTheirs}`)) ??
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

/**
 * The open lead about which an owner has got an email, if an email program has sent the answer only
 * to the address that had got it. Gmail and Thunderbird do so if the email came from there, too,
 * whatever its Reply-To. Not if it was found before.
 */
export async function findStrayed(
  db: Database,
  { messageId, answers, to }: Pick<MailMessage, 'messageId' | 'answers' | 'to'>,
): Promise<FoundLead | undefined> {
  const [recipient, ...others] = to
  if (recipient === undefined || others.length > 0) return undefined
  const isStrayed = sql<boolean>`kind in ('owner_notice', 'reminder', 'follow_up')
    and lower(recipient) = ${recipient} and lower(email) <> ${recipient} and leads.state = 'open'
    and not exists (select 1 from lead_events where lead_id = leads.id and what = 'answer_failed'
      and message_hash = ${hashOf(messageId)})`
  const lead = await ofOurEmail(db, answers.slice(0, 1), isStrayed)
  return lead && { ...lead, joined: 'sent' }
}

/** The lead that an owner's message names, if it goes to one of the people there. */
async function namedBy(db: Database, answers: readonly string[], people: readonly string[]) {
  const isOfOne = involves(people)
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
  (await ofStored(db, [messageId], sql`${isOwners} and ${involves(people)}`)) ??
  ofStored(db, [messageId], isOwners)

/**
 * Whether we sent the message ourselves: some mail services put copies of it into the folder of
 * sent messages.
 */
export const isOurs = async (db: Database, messageId: string): Promise<boolean> =>
  (await ofOurEmail(db, [messageId])) !== undefined
