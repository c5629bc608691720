import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const key = randomBytes(32).toString('hex')
  await sql`insert into settings (name, value) values ('form_token_key', ${key}) on conflict do nothing`.execute(
    db,
  )

  // To stay small, the index contains only the first 64 characters of each message. Queries compare the rest.
  await db.schema
    .createIndex('leads_by_message')
    .ifNotExists()
    .on('leads')
    .expression(sql`substr(message, 1, 64), created_at`)
    .execute()

  await db.schema.dropView('lead_overview').ifExists().execute()
  await sql`
    create view lead_overview as
    select created_at, reference, first_name || ' ' || last_name as name,
      email, phone, company, website, budget, message,
      (select case
          when count(*) = 0 then 'no mail'
          when sum(state = 'failed') > 0 then 'failed'
          when sum(state <> 'sent') > 0 then 'waiting'
          else 'delivered'
        end from outbox where lead_id = leads.id) as delivery,
      (select coalesce(sum(attempts), 0) from outbox where lead_id = leads.id) as attempts,
      (select max(sent_at) from outbox where lead_id = leads.id) as delivered_at,
      spam_score,
      (select coalesce(group_concat(value, '; '), '') from json_each(spam_reasons)) as spam_reasons
    from leads
    order by leads.id desc`.execute(db)
}
