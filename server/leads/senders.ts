import type { Database } from '../database/schema.ts'

// A search looks through them, and a menu lists them.
const MAX_SENDERS = 20

/** An address from which somebody has written about a lead, and the newest event with such a message. */
export type LeadSender = { address: string; event: number }

/**
 * The addresses from which messages about a lead came, the newest first. The lead's own is one of them
 * if the visitor has written again.
 */
export async function readSenders(db: Database, leadId: string): Promise<LeadSender[]> {
  const rows = await messagesOf(db, leadId)
    .select(({ fn }) => ['who as address', fn.max<number>('id').as('event')])
    .groupBy('who')
    .orderBy('event', 'desc')
    .limit(MAX_SENDERS)
    .execute()
  return rows.filter(({ address }) => address !== '')
}

/** The messages about a lead that came from somebody else than an owner, as events. */
export const messagesOf = (db: Database, leadId: string) =>
  db.selectFrom('lead_events').where('lead_id', '=', leadId).where('what', 'in', ['reply', 'automatic_reply'])
