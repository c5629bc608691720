import { type Kysely, PostgresAdapter, sql } from 'kysely'

/** Brings what earlier versions have stored into its form of today. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await noteReminders(db)
  await forgetSenders(db)
  await listQuotes(db)
}

/**
 * Until now, a reminder of several leads had a row in `outbox` for each, which was never sent. A
 * Message-ID named the promise or, earlier, whoever wrote again had a new one.
 */
async function noteReminders(db: Kysely<unknown>): Promise<void> {
  // As in migration 001, so that both databases sort in the same way.
  const text = db.getExecutor().adapter instanceof PostgresAdapter ? sql`text collate "C"` : sql`text`
  const statements = [
    sql`alter table leads add column reminded_at ${text}`,
    sql`alter table leads add column reminded_of ${text}`,
    sql`update leads set reminded_of = due_at, reminded_at = (select max(queued_at) from outbox
        where lead_id = leads.id and kind = 'reminder')
      where exists (select 1 from outbox where lead_id = leads.id and kind = 'reminder'
        and (message_id like '<' || leads.id || '-reminder-' || replace(leads.due_at, ':', '') || '.%'
          or message_id not like '%-reminder-____-__-__T%' and queued_at > coalesce(leads.replied_at, '')))`,
    // For push messages, which look for news every two seconds.
    sql`drop index outbox_reminders`,
    sql`create index leads_by_reminder on leads (reminded_at) where reminded_at is not null`,
  ]
  for (const statement of statements) await statement.execute(db)
}

/**
 * Notes of messages that could not be read named their senders, which no erasure would find now.
 */
async function forgetSenders(db: Kysely<unknown>): Promise<void> {
  const asides = await sql<{ name: string; value: string }>`
    select name, value from settings where name like 'mailbox_aside_%'`.execute(db)
  for (const { name, value } of asides.rows) {
    const note = JSON.parse(value)
    for (const message of note.messages) {
      delete message.from
      delete message.dueAt
    }
    await sql`update settings set value = ${JSON.stringify(note)} where name = ${name}`.execute(db)
  }
}

/** The first version stored one quotation of a message, which stood below its text. */
async function listQuotes(db: Kysely<unknown>): Promise<void> {
  const messages = await sql<{ id: number; text: string | null; received: string }>`
    select id, text, received from lead_events where received like '%"quoted":%'`.execute(db)
  for (const { id, text, received } of messages.rows) {
    const { quoted, ...message } = JSON.parse(received)
    // In a newer message, this is what somebody has written.
    if (quoted === undefined) continue
    const quotes = quoted ? [{ at: text?.length ?? 0, text: quoted }] : []
    const stored = JSON.stringify({ quotes, ...message })
    await sql`update lead_events set received = ${stored} where id = ${id}`.execute(db)
  }
}
