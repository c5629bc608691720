import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('leads_by_time')
    .ifNotExists()
    .on('leads')
    .columns(['created_at', 'id'])
    .execute()
}
