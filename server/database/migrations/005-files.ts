import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Adds the files that owners attach to their answers, in parts, so that no upload or email ever
 * holds a whole file in memory, where notices to the mailbox that is read have arrived, and
 * which phones a push service refuses.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isShared = db.getExecutor().adapter instanceof PostgresAdapter
  const text = isShared ? sql`text collate "C"` : sql`text`
  const bytes = isShared ? sql`bytea` : sql`blob`
  const statements = [
    sql`create table files (
      id ${text} primary key not null,
      lead_id ${text} not null references leads (id) on delete cascade,
      owner ${text} not null,
      name ${text} not null,
      type ${text} not null,
      size bigint,
      at ${text} not null,
      in_draft integer not null default 1,
      answer_key ${text}
    )`,
    sql`create index files_by_lead on files (lead_id)`,
    sql`create index files_by_time on files (at)`,
    sql`create table file_parts (
      file_id ${text} not null references files (id) on delete cascade,
      number integer not null,
      bytes ${bytes} not null,
      primary key (file_id, number)
    )`,
    sql`alter table lead_events add column files ${text}`,
    sql`alter table outbox add column arrived_at ${text}`,
    sql`alter table outbox add column arrived_in ${text}`,
    sql`alter table push_subscriptions add column refused integer`,
  ]
  for (const statement of statements) await statement.execute(db)
}
