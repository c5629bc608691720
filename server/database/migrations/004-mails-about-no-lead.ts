import { type Kysely, sql } from 'kysely'

/**
 * Allows emails without a lead (digest, alert) and adds `content` and `queued_at`. SQLite can't drop a NOT NULL constraint,
 * so this rebuilds the outbox and the delivery log that references it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropView('lead_overview').ifExists().execute()
  // The old delivery log is dropped only after both tables are copied. If it still exists, start over.
  if (await hasColumn(db, 'outbox_attempts', 'outbox_id')) {
    await db.schema.dropTable('new_attempts').ifExists().execute()
    await db.schema.dropTable('new_outbox').ifExists().execute()
    if (!(await hasColumn(db, 'outbox', 'queued_at'))) await copyOutbox(db)
  }
  if (await hasColumn(db, 'new_outbox', 'id')) {
    await db.schema.dropTable('outbox').ifExists().execute()
    await sql`alter table new_outbox rename to outbox`.execute(db)
  }
  if (await hasColumn(db, 'new_attempts', 'outbox_id'))
    await sql`alter table new_attempts rename to outbox_attempts`.execute(db)

  const indexes = [
    sql`create index if not exists attempts_by_mail on outbox_attempts (outbox_id)`,
    sql`create index if not exists outbox_by_lead on outbox (lead_id)`,
    sql`create index if not exists outbox_failed on outbox (id) where state = 'failed'`,
    // At the time of this migration, one worker sent emails and another sent alerts. Each had its own index.
    sql`create index if not exists outbox_open on outbox (due_at) where state in ('queued', 'sending') and kind <> 'alert'`,
    sql`create index if not exists alerts_open on outbox (due_at) where state in ('queued', 'sending') and kind = 'alert'`,
    sql`create index if not exists receipts_by_recipient on outbox (lower(recipient), queued_at) where kind = 'visitor_receipt'`,
  ]
  for (const index of indexes) await index.execute(db)

  // The view ignores receipts: if a visitor's address is mistyped, the notice to the owner may still be delivered.
  await sql`
    create view lead_overview as
    select created_at, reference, first_name || ' ' || last_name as name,
      email, phone, company, website, budget, message,
      (select case
          when count(*) = 0 then 'no mail'
          when sum(state = 'failed') > 0 then 'failed'
          when sum(state <> 'sent') > 0 then 'waiting'
          else 'delivered'
        end from outbox where lead_id = leads.id and kind = 'owner_notice') as delivery,
      (select coalesce(sum(attempts), 0) from outbox where lead_id = leads.id and kind = 'owner_notice') as attempts,
      (select max(sent_at) from outbox where lead_id = leads.id and kind = 'owner_notice') as delivered_at,
      spam_score,
      (select coalesce(group_concat(value, '; '), '') from json_each(spam_reasons)) as spam_reasons
    from leads
    order by leads.id desc`.execute(db)
}

/** Copies the outbox and its delivery log into new tables, and drops the old log. */
async function copyOutbox(db: Kysely<unknown>) {
  await sql`
    create table new_outbox (
      id integer primary key,
      lead_id text references leads (id) on delete cascade,
      kind text not null,
      recipient text not null,
      content text,
      state text not null default 'queued' check (state in ('queued', 'sending', 'sent', 'failed')),
      attempts integer not null default 0,
      queued_at text not null,
      due_at text not null,
      sent_at text,
      message_id text not null
    )`.execute(db)
  await sql`
    insert into new_outbox (id, lead_id, kind, recipient, state, attempts, queued_at, due_at, sent_at, message_id)
    select outbox.id, lead_id, kind, recipient, state, attempts, leads.created_at, due_at, sent_at, message_id
    from outbox join leads on leads.id = outbox.lead_id`.execute(db)
  await sql`
    create table new_attempts (
      outbox_id integer not null references new_outbox (id) on delete cascade,
      at text not null,
      outcome text not null,
      smtp_code integer,
      response text not null
    )`.execute(db)
  await sql`insert into new_attempts select outbox_id, at, outcome, smtp_code, response from outbox_attempts`.execute(
    db,
  )
  // Drop this table before the old outbox: while it exists, an interrupted migration starts over and copies both again.
  await db.schema.dropTable('outbox_attempts').execute()
}

/** False if the table doesn't exist. */
async function hasColumn(db: Kysely<unknown>, table: string, column: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pragma_table_info(${table}) where name = ${column}`.execute(db)
  return rows.length > 0
}
