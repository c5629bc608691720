import { type Kysely, sql } from 'kysely'

/**
 * Adds email priorities. Adds job leases, so that only one replica at a time runs a periodic job. Removes alerts from the
 * outbox, because a periodic job now posts them directly.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const statements = [
    sql`delete from outbox where kind = 'alert'`,
    sql`drop index alerts_open`,
    sql`drop index outbox_open`,
    sql`drop index outbox_waiting`,

    sql`alter table outbox add column priority integer not null default 0`,
    sql`update outbox set priority = 2 where kind = 'visitor_receipt'`,
    sql`update outbox set priority = 1 where kind = 'owner_notice' and state in ('queued', 'sending')
      and lead_id in (select id from leads where spam_score >= 10)`,

    sql`create index outbox_open on outbox (priority, due_at) where state in ('queued', 'sending')`,
    sql`create index outbox_waiting on outbox (queued_at) where state in ('queued', 'sending') and kind not in ('visitor_receipt', 'alert')`,
    sql`create index outbox_suspects on outbox (queued_at) where priority = 1`,

    // For queries that find emails that were only written as .eml files.
    sql`create index attempts_written on outbox_attempts (outbox_id) where outcome = 'sent' and smtp_code is null`,

    sql`create table job_leases (name text primary key not null, holder text not null, since text not null, until text not null)`,
  ]
  for (const statement of statements) await statement.execute(db)
}
