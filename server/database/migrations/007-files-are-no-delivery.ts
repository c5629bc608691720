import { type Kysely, sql } from 'kysely'
import { isShared } from '../differences.ts'

/** Makes `lead_overview` show `file`, not `delivered`, for a lead whose notice was only written as an .eml file. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // No query uses this index.
  await sql`drop index receipts_by_recipient`.execute(db)

  const reasons = isShared(db)
    ? sql`(select coalesce(string_agg(reason, '; '), '') from json_array_elements_text(spam_reasons::json) as reason)`
    : sql`(select coalesce(group_concat(value, '; '), '') from json_each(spam_reasons))`
  const isAccepted = sql`exists (select 1 from outbox_attempts
    where outbox_id = outbox.id and outcome = 'sent' and (smtp_code is not null or response not like 'written to %'))`
  await sql`drop view lead_overview`.execute(db)
  await sql`
    create view lead_overview as
    select created_at, reference, first_name || ' ' || last_name as name,
      email, phone, company, website, budget, message,
      (select case
          when count(*) = 0 then 'no mail'
          when count(*) filter (where state = 'failed') > 0 then 'failed'
          when count(*) filter (where state <> 'sent') > 0 then 'waiting'
          when count(*) filter (where not ${isAccepted}) > 0 then 'file'
          else 'delivered'
        end from outbox where lead_id = leads.id and kind = 'owner_notice') as delivery,
      (select coalesce(sum(attempts), 0) from outbox where lead_id = leads.id and kind = 'owner_notice') as attempts,
      (select max(sent_at) from outbox where lead_id = leads.id and kind = 'owner_notice' and ${isAccepted})
        as delivered_at,
      spam_score, ${reasons} as spam_reasons
    from leads
    order by leads.id desc`.execute(db)
}
