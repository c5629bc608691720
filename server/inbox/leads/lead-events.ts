import type { Insertable, Selectable } from 'kysely'
import type { Database, Schema } from '../../database/schema.ts'

export type LeadEventRow = Selectable<Schema['lead_events']>
export type NewLeadEvent = Omit<Insertable<Schema['lead_events']>, 'id'>

/** Adds an event to a lead's history. */
export const addEvent = (db: Database, event: NewLeadEvent) =>
  db.insertInto('lead_events').values(event).execute()

/** The newest event that changed the lead. Opening a lead or adding a note doesn't change it. */
export const lastChange = (db: Database, leadId: string): Promise<LeadEventRow | undefined> =>
  db
    .selectFrom('lead_events')
    .selectAll()
    .where('lead_id', '=', leadId)
    .where('what', 'not in', ['seen', 'note'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** The event recorded with this idempotency key, for any lead. */
export const findByKey = (db: Database, key: string): Promise<LeadEventRow | undefined> =>
  db.selectFrom('lead_events').selectAll().where('key', '=', key).executeTakeFirst()
