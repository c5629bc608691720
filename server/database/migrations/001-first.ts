import { randomBytes } from 'node:crypto'
import { type Kysely, PostgresAdapter, sql } from 'kysely'

/**
 * The inbox list that a lead is in. An open lead with a high spam score is in `suspects` until an
 * owner judges it. A lead with a follow-up date is in `open`, even if it was answered. The index
 * `leads_by_list` has this expression: queries use the index only if they contain exactly the same
 * text.
 */
export const listOf = sql<string>`case
    when follow_up_on is not null and state in ('open', 'answered') then 'open'
    when state = 'open' and spam_score >= 10 and verdict is null then 'suspects'
    else state end`

/**
 * Creates the tables. `schema.ts` says what the columns mean.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, id } = typesOf(db)
  const statements = [
    sql`
      create table leads (
        id ${text} primary key not null,
        reference ${text} not null unique,
        created_at ${text} not null,
        first_name ${text} not null,
        last_name ${text} not null,
        email ${text} not null,
        phone ${text} not null,
        company ${text} not null,
        website ${text} not null,
        budget ${text} not null,
        message ${text} not null,
        idempotency_key ${text},
        content_hash ${text} not null,
        client ${text},
        form_token ${text},
        spam_score integer not null,
        spam_reasons ${text} not null,
        state ${text} not null default 'open',
        verdict ${text} check (verdict in ('spam', 'honest')),
        version integer not null default 0,
        due_at ${text} not null,
        first_due_at ${text},
        replied_at ${text},
        follow_up_on ${text},
        answered_at ${text},
        seen_at ${text},
        trouble ${text},
        source ${text} not null,
        sort_key ${text} not null,
        awaits_list integer not null default 0
      )`,
    // Storing a lead writes a page of each of its indexes, so each has to be worth it. These three
    // find earlier requests with the same content or message, from the same client, or with the
    // same form token: see history.ts.
    sql`create index leads_by_content on leads (content_hash, created_at)`,
    sql`create index leads_by_client on leads (client, created_at) where client is not null`,
    sql`create index leads_by_token on leads (form_token) where form_token is not null`,
    // For the list of all leads, the figures, and RETENTION_DAYS.
    sql`create index leads_by_time on leads (created_at, id)`,
    // For the inbox's other lists.
    sql`create index leads_by_list on leads ((${listOf}), sort_key, id)`,
    // For the other requests of a person, and to erase them all.
    sql`create index leads_by_email on leads (lower(email))`,
    // For the figures.
    sql`create index leads_answered on leads (answered_at) where answered_at is not null`,
    // For lists of leads that got no notice of their own: see notice-list.ts.
    sql`create index leads_awaiting_list on leads (id) where awaits_list = 1`,
    sql`
      create table lead_events (
        id ${id},
        lead_id ${text} not null references leads (id) on delete cascade,
        at ${text} not null,
        who ${text} not null,
        what ${text} not null,
        from_value ${text},
        to_value ${text},
        text ${text},
        key ${text} unique,
        before ${text},
        received ${text}
      )`,
    sql`create index lead_events_by_lead on lead_events (lead_id, id)`,
    // For push messages, which look for news every two seconds: these, and reminders.
    sql`create index lead_events_news on lead_events (at) where what in ('reply', 'answer_failed')`,
    sql`
      create table lead_drafts (
        lead_id ${text} not null references leads (id) on delete cascade,
        owner ${text} not null,
        text ${text} not null,
        updated_at ${text} not null,
        primary key (lead_id, owner)
      )`,
    // For who is writing now: see live-routes.ts.
    sql`create index lead_drafts_by_time on lead_drafts (updated_at)`,
    // A search reads the whole table, so it is in the order of the leads, and has no other columns.
    sql`
      create table lead_texts (
        lead_id ${text} primary key not null references leads (id) on delete cascade,
        parts ${text} not null,
        words ${text} not null
      ) ${isShared(db) ? sql`` : sql`without rowid`}`,
    sql`
      create table outbox (
        id ${isShared(db) ? id : sql`integer primary key`},
        lead_id ${text} references leads (id) on delete cascade,
        kind ${text} not null,
        recipient ${text} not null,
        content ${isShared(db) ? sql`json` : sql`text`},
        priority integer not null,
        state ${text} not null default 'queued' check (state in ('queued', 'sending', 'sent', 'file', 'listed', 'failed')),
        attempts integer not null default 0,
        cause ${text},
        queued_at ${text} not null,
        due_at ${text} not null,
        sent_at ${text},
        message_id ${text} not null
      )`,
    // For what the inbox shows about a lead, and to delete its emails with it.
    sql`create index outbox_by_lead on outbox (lead_id)`,
    // For the next email to send.
    sql`create index outbox_open on outbox (priority, due_at desc) where state in ('queued', 'sending')`,
    // For the oldest email that waits, even in a long queue: see backlog.ts.
    sql`create index outbox_waiting on outbox (queued_at) where state in ('queued', 'sending') and kind <> 'visitor_receipt'`,
    // For the emails that the server gave up on.
    sql`create index outbox_failed on outbox (id) where state = 'failed'`,
    // For notices that were only written to files, which are sent once there is a mail server.
    sql`create index outbox_files on outbox (id) where state = 'file'`,
    // For the budgets and limits of a day: notices, receipts, and sign-in codes.
    sql`create index outbox_sent on outbox (kind, sent_at) where sent_at is not null`,
    sql`create index outbox_receipts on outbox (queued_at) where kind = 'visitor_receipt'`,
    sql`create index outbox_reminders on outbox (queued_at) where kind = 'reminder'`,
    // SQLite has a built-in `rowid`.
    sql`
      create table outbox_attempts (
        ${isShared(db) ? sql`rowid bigint generated always as identity primary key,` : sql``}
        outbox_id bigint not null references outbox (id) on delete cascade,
        at ${text} not null,
        outcome ${text} not null,
        smtp_code integer,
        response ${text} not null
      )`,
    sql`create index attempts_by_email on outbox_attempts (outbox_id)`,
    sql`
      create table sign_ins (
        id ${text} primary key not null,
        kind ${text} not null,
        owner ${text},
        code ${text} not null,
        client ${text} not null,
        is_known integer not null,
        tries integer not null default 0,
        created_at ${text} not null,
        ends_at ${text} not null,
        used_at ${text}
      )`,
    sql`create index sign_ins_by_time on sign_ins (created_at)`,
    sql`
      create table sessions (
        id ${text} primary key not null,
        owner ${text} not null,
        browser ${text} not null,
        signed_in_at ${text} not null,
        seen_at ${text} not null
      )`,
    sql`
      create table passkeys (
        id ${text} primary key not null,
        owner ${text} not null,
        user_id ${text} not null,
        public_key ${text} not null,
        counter integer not null,
        name ${text} not null,
        host ${text} not null,
        created_at ${text} not null,
        used_at ${text}
      )`,
    sql`
      create table push_subscriptions (
        endpoint ${text} primary key not null,
        p256dh ${text} not null,
        auth ${text} not null,
        session ${text} not null unique references sessions (id) on delete cascade,
        shows_content integer not null
      )`,
    sql`create table passkey_challenges (id ${text} primary key not null, ends_at ${text} not null)`,
    sql`create table settings (name ${text} primary key not null, value ${text} not null)`,
    sql`insert into settings (name, value) values ('client_hash_key', ${newKey()}), ('form_token_key', ${newKey()}), ('last_write_check', '')`,
  ]
  for (const statement of statements) await statement.execute(db)
}

const isShared = (db: Kysely<unknown>) => db.getExecutor().adapter instanceof PostgresAdapter

const typesOf = (db: Kysely<unknown>) =>
  isShared(db)
    ? {
        // This collation sorts by bytes, like SQLite, whatever the server's locale.
        text: sql`text collate "C"`,
        // `by default` lets `leads copy` keep the ids.
        id: sql`bigint generated by default as identity primary key`,
      }
    : { text: sql`text`, id: sql`integer primary key autoincrement` }

const newKey = () => randomBytes(32).toString('hex')
