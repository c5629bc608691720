import { createHash } from 'node:crypto'
import type { Database } from '../database/schema.ts'
import { readReference } from '../leads/reference.ts'
import type { Message } from './read-message.ts'

const idOfOurs = /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[.-]/
const referenceInText = /\bQ-[0-9A-Z]{4}-[0-9A-Z]{4}\b/

/** The key of the event that stores a message. A hash, because senders choose their Message-IDs, which can be long. */
export const keyOf = (messageId: string): string =>
  `mail ${createHash('sha256').update(messageId).digest('base64url')}`

/** Whether the headers of a message could belong to a lead, so that its text is worth reading. */
export const mayBelongToLead = ({ answers, subject }: Pick<Message, 'answers' | 'subject'>): boolean =>
  answers.length > 0 || referenceInText.test(subject)

/** As much of a lead as says whether a message belongs to it. */
export type Found = { id: string; reference: string; email: string }

/**
 * The lead that a message belongs to: it answers one of our emails, or a message of the conversation, whose Message-IDs only
 * the people in the conversation know. Otherwise, its subject must have the reference, and `address` must be the person's.
 */
export async function findLead(
  db: Database,
  { answers, subject }: Pick<Message, 'answers' | 'subject'>,
  addresses: readonly string[],
): Promise<Found | undefined> {
  for (const messageId of answers) {
    const lead = (await ofOurEmail(db, messageId)) ?? (await ofMessage(db, messageId))
    if (lead) return lead
  }
  const reference = readReference(referenceInText.exec(subject)?.[0] ?? '')
  if (!reference) return undefined
  const lead = await selectLead(db).where('reference', '=', reference).executeTakeFirst()
  return lead && addresses.includes(lead.email.toLowerCase()) ? lead : undefined
}

const selectLead = (db: Database) => db.selectFrom('leads').select(['leads.id', 'reference', 'email'])

/** The lead of an email that we sent. Its Message-ID begins with the ID of the lead, or with the key of an answer. */
async function ofOurEmail(db: Database, messageId: string): Promise<Found | undefined> {
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
    .executeTakeFirst()
}

/** Whether we sent the message ourselves: some mail services put copies of it into the folder of sent messages. */
export const isOurs = async (db: Database, messageId: string): Promise<boolean> =>
  (await ofOurEmail(db, messageId)) !== undefined

/** The lead with which a message is stored. */
export const ofMessage = (db: Database, messageId: string): Promise<Found | undefined> =>
  selectLead(db)
    .innerJoin('lead_events', 'lead_id', 'leads.id')
    .where('key', '=', keyOf(messageId))
    .executeTakeFirst()
