import { type Kysely, sql } from 'kysely'
import { replyDueAt } from '#shared/promise-clock.ts'
import { indexWords } from '#shared/search-words.ts'
import { isShared } from '../differences.ts'

// Older leads were answered before there was an inbox. As open leads, they would bury the new ones.
const RECENT_DAYS = 30
const BATCH_ROWS = 2_000

/** Called with the number of leads that are done, and of all. */
export type OnProgress = (done: number, of: number) => void

/** What the owner's inbox needs: states, events, drafts, search index, sign-ins, sessions and passkeys. */
export const inbox = (onProgress: OnProgress) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumns(db)
    await createTables(db)
    await fillIn(db, onProgress)
    await createIndexes(db)
  },
})

async function addColumns(db: Kysely<unknown>) {
  const { text } = typesOf(db)
  for (const column of [
    sql`state ${text} not null default 'open' check (state in ('open', 'answered', 'won', 'lost', 'spam'))`,
    sql`verdict ${text} check (verdict in ('spam', 'honest'))`,
    sql`version integer not null default 0`,
    sql`due_at ${text} not null default ''`,
    sql`follow_up_on ${text}`,
    sql`answered_at ${text}`,
    sql`seen_at ${text}`,
    sql`trouble ${text}`,
    sql`source ${text} not null default '{}'`,
    sql`sort_key ${text} not null default ''`,
    sql`is_indexed integer not null default 0`,
  ])
    await sql`alter table leads add column ${column}`.execute(db)
}

async function createTables(db: Kysely<unknown>) {
  const { text, id } = typesOf(db)
  await sql`
    create table lead_events (
      id ${id},
      lead_id ${text} not null references leads (id) on delete cascade,
      at ${text} not null,
      who ${text} not null,
      what ${text} not null,
      from_value ${text},
      to_value ${text},
      text ${text},
      key ${text} unique
    )`.execute(db)
  await sql`create index lead_events_by_lead on lead_events (lead_id, id)`.execute(db)
  await sql`
    create table lead_drafts (
      lead_id ${text} not null references leads (id) on delete cascade,
      owner ${text} not null,
      text ${text} not null,
      updated_at ${text} not null,
      primary key (lead_id, owner)
    )`.execute(db)
  await sql`
    create table sign_ins (
      id ${text} primary key not null,
      kind ${text} not null,
      owner ${text},
      code ${text} not null,
      browser ${text} not null,
      client ${text} not null,
      is_known integer not null default 0,
      tries integer not null default 0,
      created_at ${text} not null,
      ends_at ${text} not null,
      used_at ${text}
    )`.execute(db)
  await sql`create index sign_ins_by_time on sign_ins (created_at)`.execute(db)
  await sql`
    create table sessions (
      id ${text} primary key not null,
      owner ${text} not null,
      browser ${text} not null,
      created_at ${text} not null,
      signed_in_at ${text} not null,
      seen_at ${text} not null
    )`.execute(db)
  await sql`
    create table passkeys (
      id ${text} primary key not null,
      owner ${text} not null,
      user_id ${text} not null,
      public_key ${text} not null,
      counter integer not null,
      transports ${text} not null,
      name ${text} not null,
      host ${text} not null,
      created_at ${text} not null,
      used_at ${text}
    )`.execute(db)
  await sql`
    create table passkey_challenges (
      id ${text} primary key not null,
      ends_at ${text} not null
    )`.execute(db)
  await sql`create index outbox_sign_ins on outbox (queued_at) where kind = 'sign_in'`.execute(db)
  await createSearchIndex(db)
}

async function createSearchIndex(db: Kysely<unknown>) {
  const { text, id } = typesOf(db)
  const words = isShared(db) ? sql`, words tsvector not null` : sql``
  await sql`
    create table lead_index (
      number ${id},
      lead_id ${text} not null unique references leads (id) on delete cascade
      ${words}
    )`.execute(db)
  if (isShared(db)) return
  // Without content: the words are in the leads already. Every character beyond ASCII belongs to a word.
  await sql`create virtual table lead_words using fts5(words, content = '', contentless_delete = 1, detail = none,
    tokenize = 'ascii', prefix = '2 3')`.execute(db)
  // Otherwise FTS5 keeps the words of deleted rows until it merges its segments.
  await sql`insert into lead_words (lead_words, rank) values ('secure-delete', 1)`.execute(db)
  await sql`create trigger lead_index_deleted after delete on lead_index begin
    delete from lead_words where rowid = old.number; end`.execute(db)
}

type Old = Parameters<typeof indexWords>[0] & { id: string; created_at: string; spam_score: number }

async function fillIn(db: Kysely<unknown>, onProgress: OnProgress) {
  const { rows: counted } = await sql<{ leads: number }>`select count(*) as leads from leads`.execute(db)
  const of = Number(counted[0]?.leads)
  const recent = new Date(Date.now() - RECENT_DAYS * 24 * 60 * 60 * 1000).toISOString()
  let done = 0
  for (let last = ''; ; ) {
    const { rows } = await sql<Old>`
      select id, created_at, spam_score, reference, first_name, last_name, email, phone, company, website, message
      from leads where id > ${last} order by id limit ${BATCH_ROWS}`.execute(db)
    if (rows.length === 0) break
    const filled = rows.map((lead, index) => ({
      id: lead.id,
      number: done + index + 1,
      state: lead.spam_score < 10 && lead.created_at < recent ? 'answered' : 'open',
      due: replyDueAt(new Date(lead.created_at)).toISOString(),
      words: indexWords(lead),
    }))
    await (isShared(db) ? storeInPostgres(db, filled) : storeInSqlite(db, filled))
    done += rows.length
    last = rows.at(-1)?.id ?? ''
    onProgress(done, of)
  }
  if (isShared(db) && done > 0)
    await sql`select setval(pg_get_serial_sequence('lead_index', 'number'), ${done})`.execute(db)
}

type Filled = { id: string; number: number; state: string; due: string; words: string[] }

async function storeInSqlite(db: Kysely<unknown>, leads: Filled[]) {
  const json = JSON.stringify(leads.map(({ words, ...lead }) => ({ ...lead, words: words.join(' ') })))
  await sql`
    update leads set state = new.value ->> 'state', due_at = new.value ->> 'due', sort_key = new.value ->> 'due',
      seen_at = iif(new.value ->> 'state' = 'answered', created_at, null), is_indexed = 1
    from json_each(${json}) as new where leads.id = new.value ->> 'id'`.execute(db)
  await sql`insert into lead_index (number, lead_id)
    select value ->> 'number', value ->> 'id' from json_each(${json})`.execute(db)
  await sql`insert into lead_words (rowid, words)
    select value ->> 'number', value ->> 'words' from json_each(${json})`.execute(db)
}

async function storeInPostgres(db: Kysely<unknown>, leads: Filled[]) {
  const json = JSON.stringify(leads)
  await sql`
    update leads set state = new.state, due_at = new.due, sort_key = new.due,
      seen_at = case new.state when 'answered' then created_at end, is_indexed = 1
    from json_to_recordset(${json}::json) as new (id text, state text, due text) where leads.id = new.id`.execute(
    db,
  )
  await sql`insert into lead_index (number, lead_id, words)
    select new.number, new.id, array_to_tsvector(new.words)
    from json_to_recordset(${json}::json) as new (id text, number bigint, words text[])`.execute(db)
}

async function createIndexes(db: Kysely<unknown>) {
  // The list that a lead is in: a suspect is an open lead that no owner has judged; a follow-up brings a lead back.
  await sql`create index leads_by_list on leads ((case
    when follow_up_on is not null and state in ('open', 'answered') then 'open'
    when state = 'open' and spam_score >= 10 and verdict is null then 'suspects'
    else state end), sort_key, id)`.execute(db)
  await sql`create index leads_answered on leads (answered_at) where answered_at is not null`.execute(db)
  await sql`create index leads_unindexed on leads (id) where is_indexed = 0`.execute(db)
  await sql`create index leads_by_email on leads (lower(email))`.execute(db)
  if (isShared(db)) await sql`create index lead_index_words on lead_index using gin (words)`.execute(db)
}

const typesOf = (db: Kysely<unknown>) =>
  isShared(db)
    ? // Compares bytes, like SQLite.
      {
        text: sql`text collate "C"`,
        id: sql`bigint generated by default as identity primary key`,
      }
    : { text: sql`text`, id: sql`integer primary key autoincrement` }
