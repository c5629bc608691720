import type { Kysely } from 'kysely'

/** For whoever reads the newest leads, those of a week, or the oldest: a million others are not looked at. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('leads_by_time')
    .ifNotExists()
    .on('leads')
    .columns(['created_at', 'id'])
    .execute()
}
