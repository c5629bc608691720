import { type Kysely, sql } from 'kysely'

/**
 * A second migration, such as a future version may add: several statements, one of which changes
 * every lead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table leads add column city text not null default ''`.execute(db)
  await sql`update leads set city = 'Chicago'`.execute(db)
  await sql`create table visits (id integer primary key, lead_id text not null)`.execute(db)
  await sql`create index visits_by_lead on visits (lead_id)`.execute(db)
}
