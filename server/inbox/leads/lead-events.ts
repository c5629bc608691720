import type { Insertable, Selectable } from 'kysely'
import { minorEvents } from '#shared/inbox/lead.ts'
import { lockNames } from '../../database/differences.ts'
import type { Database, Schema } from '../../database/schema.ts'

export type LeadEventRow = Selectable<Schema['lead_events']>
export type NewLeadEvent = Omit<Insertable<Schema['lead_events']>, 'id'>

export const addEvent = (db: Database, event: NewLeadEvent) =>
  db.insertInto('lead_events').values(event).execute()

/** The newest event that changed the lead: not a note, and not the first time that an owner opened the lead. */
export const lastChange = (db: Database, leadId: string): Promise<LeadEventRow | undefined> =>
  db
    .selectFrom('lead_events')
    .selectAll()
    .where('lead_id', '=', leadId)
    .where('what', 'not in', minorEvents)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * The event recorded with this idempotency key, for any lead. Blocks other requests with the same key until the transaction
 * ends. Call it after `lockLead`: taking locks in the same order everywhere prevents deadlocks.
 */
export async function findByKey(transaction: Database, key: string): Promise<LeadEventRow | undefined> {
  await lockNames(transaction, [`key ${key}`])
  return transaction.selectFrom('lead_events').selectAll().where('key', '=', key).executeTakeFirst()
}
