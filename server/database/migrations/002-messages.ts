import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * Adds what says which lead a message from the mailbox belongs to. Until now, the key of a stored
 * message was the hash of its Message-ID, although its sender chooses it. `message_hash` is that
 * hash, but several messages may have the same one. `joined` says why the message belongs to the
 * lead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isShared = db.getExecutor().adapter instanceof PostgresAdapter
  const statements = [
    sql`alter table lead_events add column message_hash ${isShared ? sql`text collate "C"` : sql`text`}`,
    sql`alter table lead_events add column joined ${isShared ? sql`text collate "C"` : sql`text`}`,
    // To whom an answer went, if others have written, too.
    sql`alter table lead_events add column recipient ${isShared ? sql`text collate "C"` : sql`text`}`,
    // When a list named the lead last: see notice-list.ts.
    sql`alter table leads add column listed_at ${isShared ? sql`text collate "C"` : sql`text`}`,
    sql`update lead_events set message_hash = substr(key, 6) where received is not null and key like 'mail %'`,
    // Until now, an owner's message was only taken from the folder of sent messages. Others may
    // have got it, too.
    sql`update lead_events set joined = 'shared' where what = 'answered_by_mail'`,
    // For messages that name an earlier one: see lead-queries.ts.
    sql`create index lead_events_by_message on lead_events (message_hash) where message_hash is not null`,
    // For people who have only replied: to find, export, and erase them.
    sql`create index lead_events_by_sender on lead_events (who) where received is not null`,
  ]
  for (const statement of statements) await statement.execute(db)
  // Without statistics of the new columns, PostgreSQL would read the whole table for each message.
  if (isShared) await sql`analyze lead_events`.execute(db)
  await findBySenders(db)
}

/** Makes searches find leads by the addresses from which messages about them have come. */
async function findBySenders(db: Kysely<unknown>): Promise<void> {
  const senders = await sql<{ lead_id: string; who: string }>`
    select distinct lead_id, who from lead_events where what in ('reply', 'automatic_reply')`.execute(db)
  for (const { lead_id, who } of senders.rows) {
    const words = who.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
    const parts = ['', ...words].join(' ')
    await sql`update lead_texts set parts = parts || ${parts} where lead_id = ${lead_id}`.execute(db)
  }
}
