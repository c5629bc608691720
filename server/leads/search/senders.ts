import type { Selectable } from 'kysely'
import type { Database, Schema, StoredMessage } from '../../database/schema.ts'

// A search looks through them, and a menu lists them.
const MAX_SENDERS = 20

/**
 * An address from which somebody has written about a lead, and the newest event with such a
 * message.
 */
type LeadSender = { address: string; event: number }

/**
 * The addresses from which messages about a lead came, the newest first. The lead's own is one of
 * them if the visitor has written again.
 */
export async function readSenders(db: Database, leadId: string): Promise<LeadSender[]> {
  const rows = await messages(db)
    .select(({ fn }) => ['who as address', fn.max<number>('id').as('event')])
    .where('lead_id', '=', leadId)
    .groupBy('who')
    .orderBy('event', 'desc')
    .limit(MAX_SENDERS)
    .execute()
  return rows.filter(({ address }) => address !== '')
}

/** Whether somebody has written about a lead from this address. */
export async function hasWrittenFrom(db: Database, leadId: string, address: string): Promise<boolean> {
  const fromThere = messages(db).select('id').where('lead_id', '=', leadId)
  return (await fromThere.where('who', '=', address.toLowerCase()).executeTakeFirst()) !== undefined
}

/** The leads about which somebody has written from this address, oldest first. */
export const leadsWithMessages = (db: Database, address: string) =>
  messages(db)
    .innerJoin('leads', 'leads.id', 'lead_id')
    .select(['leads.id', 'reference', 'email'])
    .select(({ fn }) => [fn.max('lead_events.at').as('newestAt'), fn.countAll<number>().as('messages')])
    .where('who', '=', address.toLowerCase())
    // For the index.
    .where('received', 'is not', null)
    .groupBy(['leads.id', 'reference', 'email'])
    .orderBy('leads.id')
    .execute()

const messageKinds = ['reply', 'automatic_reply'] as const

const messages = (db: Database) => db.selectFrom('lead_events').where('what', 'in', messageKinds)

type Event = Pick<Selectable<Schema['lead_events']>, 'what' | 'who' | 'received'> & {
  recipient?: string | null
}

/** Whether an event is a message from somebody else than an owner. */
export const isMessage = ({ what }: Pick<Event, 'what'>): boolean =>
  messageKinds.some((kind) => kind === what)

/**
 * The addresses of those who have written or got what an event stores, or should have got it, in
 * lower case. None for what else owners did, and for answers by earlier versions, which went to the
 * lead's address.
 */
function peopleIn(event: Event): string[] {
  if (isMessage(event)) return [event.who]
  if (event.what === 'answer' || event.what === 'answer_failed')
    return event.recipient ? [event.recipient] : []
  if (event.what !== 'answered_by_mail' || !event.received) return []
  const { to = [] }: StoredMessage = JSON.parse(event.received)
  return to
}

/** The addresses of everybody else with whom owners talk about a lead. */
export const othersIn = (events: readonly Event[], email: string, address: string): Set<string> => {
  const people = [email.toLowerCase(), ...events.filter(isMessage).map(({ who }) => who)]
  return new Set(people.filter((one) => one !== address))
}

/** Whether this person has written or got what an event stores. */
export const takesPart = (event: Event, address: string): boolean => peopleIn(event).includes(address)

/** The same, but none of the others has. */
export const isBetween = (event: Event, address: string, others: ReadonlySet<string>): boolean =>
  takesPart(event, address) && !peopleIn(event).some((one) => others.has(one))

/** Whether somebody else has written or got what an event stores, and this person hasn't. */
export const isOfOthers = (event: Event, address: string, others: ReadonlySet<string>): boolean =>
  !takesPart(event, address) && peopleIn(event).some((one) => others.has(one))
