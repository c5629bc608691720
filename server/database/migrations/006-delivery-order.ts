import { type Kysely, sql } from 'kysely'

/**
 * Adds email priorities (0: to the owner, 1: about a suspect, 2: to a visitor). Removes alerts from the outbox: the minute
 * job posts them now. Adds expiring leases for the jobs of replicas.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from outbox where kind = 'alert'`.execute(db)
  await sql`drop index alerts_open`.execute(db)
  await sql`drop index outbox_open`.execute(db)
  await sql`drop index outbox_waiting`.execute(db)

  await sql`alter table outbox add column priority integer not null default 0`.execute(db)
  await sql`update outbox set priority = 2 where kind = 'visitor_receipt'`.execute(db)
  await sql`update outbox set priority = 1 where kind = 'owner_notice' and state in ('queued', 'sending')
    and lead_id in (select id from leads where spam_score >= 10)`.execute(db)

  await sql`create index outbox_open on outbox (priority, due_at) where state in ('queued', 'sending')`.execute(
    db,
  )
  await sql`create index outbox_waiting on outbox (queued_at) where state in ('queued', 'sending') and kind not in ('visitor_receipt', 'alert')`.execute(
    db,
  )
  await sql`create index outbox_suspects on outbox (queued_at) where priority = 1`.execute(db)

  // Emails that were only written as eml files.
  await sql`create index attempts_written on outbox_attempts (outbox_id) where outcome = 'sent' and smtp_code is null`.execute(
    db,
  )

  await sql`create table job_leases (name text primary key not null, holder text not null, since text not null, until text not null)`.execute(
    db,
  )
}
