import { type Kysely, sql } from 'kysely'
import { typesOf } from './008-tables.ts'

/** Adds what keeps strangers from silencing leads: see `accepted_requests`, `awaits_list` and `cause` in the schema. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text } = typesOf(db)
  for (const statement of [
    sql`drop table accepted_requests`,
    sql`create table accepted_requests (
      name ${text} not null,
      at ${text} not null,
      lead_id ${text} not null references leads (id) on delete cascade
    )`,
    sql`create index accepted_by_name on accepted_requests (name, at)`,
    sql`create index accepted_by_time on accepted_requests (at)`,
    sql`create index accepted_by_lead on accepted_requests (lead_id)`,

    sql`alter table leads add column awaits_list integer not null default 0`,
    sql`create index leads_awaiting_list on leads (id) where awaits_list = 1`,

    sql`alter table outbox add column cause ${text}`,
    sql`create index outbox_sent on outbox (kind, sent_at) where sent_at is not null`,
    sql`create index outbox_receipts on outbox (queued_at) where kind = 'visitor_receipt'`,
    // No query uses this index anymore.
    sql`drop index outbox_suspects`,
  ])
    await statement.execute(db)
}
