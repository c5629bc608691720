import { type Kysely, sql } from 'kysely'
import { replyDueAt } from '#shared/promise-clock.ts'
import { analyzeLeads } from '../analyze-leads.ts'
import { isShared } from '../differences.ts'
import { listOf } from '../list-of.ts'
import { showStates } from './008-overview.ts'
import { createTables, typesOf } from './008-tables.ts'

// Older leads are marked as answered, because they probably were. If they stayed open, they would bury the new ones.
const RECENT_DAYS = 30
const BATCH_ROWS = 500

/** Called with the number of migrated leads and the total number of leads. */
export type OnProgress = (done: number, of: number) => void

/**
 * Adds what the owner's inbox needs: states, events, drafts, search index, sign-ins, sessions and passkeys. Leaves the
 * search index empty: filling it takes longer than the rest of the migration, so the server does that later, while it
 * runs.
 */
export const inbox = (onProgress: OnProgress) => ({
  async up(db: Kysely<unknown>): Promise<void> {
    await addColumns(db)
    await createTables(db)
    const leads = await fillIn(db, onProgress)
    await createIndexes(db)
    await showStates(db)
    await analyzeLeads(db, leads)
  },
})

async function addColumns(db: Kysely<unknown>) {
  const { text } = typesOf(db)
  // The default is only for leads from replicas that still run the previous version. A reply to such a lead is due in four
  // hours, even if the office is closed.
  const due = isShared(db)
    ? sql`to_char(now() at time zone 'UTC' + interval '4 hours', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
    : sql`''`
  for (const column of [
    sql`state ${text} not null default 'open' check (state in ('open', 'answered', 'won', 'lost', 'spam'))`,
    sql`verdict ${text} check (verdict in ('spam', 'honest'))`,
    sql`version integer not null default 0`,
    sql`due_at ${text} not null default ${due}`,
    sql`follow_up_on ${text}`,
    sql`answered_at ${text}`,
    sql`seen_at ${text}`,
    sql`trouble ${text}`,
    sql`source ${text} not null default '{}'`,
    sql`sort_key ${text} not null default ${due}`,
    sql`is_indexed integer not null default 0`,
  ])
    await sql`alter table leads add column ${column}`.execute(db)
}

type Old = { id: string; created_at: string; spam_score: number }

/** Sets the new columns of all leads, in batches. Returns the number of leads. */
async function fillIn(db: Kysely<unknown>, onProgress: OnProgress): Promise<number> {
  const { rows: counted } = await sql<{ leads: number }>`select count(*) as leads from leads`.execute(db)
  const of = Number(counted[0]?.leads)
  const recent = new Date(Date.now() - RECENT_DAYS * 24 * 60 * 60 * 1000).toISOString()
  let last = ''
  for (let done = 0; done < of; ) {
    const { rows } = await sql<Old>`
      select id, created_at, spam_score from leads where id > ${last} order by id limit ${BATCH_ROWS}`.execute(
      db,
    )
    const leads = rows.map((lead) => fill(lead, recent))
    await store(db, leads)
    last = leads.at(-1)?.id ?? ''
    done += leads.length
    onProgress(done, of)
  }
  return of
}

type Filled = { id: string; state: string; due: string; seen: string | null }

function fill({ id, created_at, spam_score }: Old, recent: string): Filled {
  const isOld = created_at < recent && spam_score < 10
  const due = replyDueAt(new Date(created_at)).toISOString()
  // The time of the answer is unknown, so `answered_at` stays null and no statistic counts the answer.
  return { id, state: isOld ? 'answered' : 'open', due, seen: isOld ? created_at : null }
}

function store(db: Kysely<unknown>, leads: Filled[]) {
  const json = JSON.stringify(leads)
  const filled = isShared(db)
    ? sql`json_to_recordset(${json}::json) as new (id text, state text, due text, seen text)`
    : sql`(select value ->> 'id' as id, value ->> 'state' as state, value ->> 'due' as due, value ->> 'seen' as seen
        from json_each(${json})) as new`
  return sql`
    update leads set state = new.state, due_at = new.due, sort_key = new.due, seen_at = new.seen
    from ${filled} where leads.id = new.id`.execute(db)
}

async function createIndexes(db: Kysely<unknown>) {
  await sql`create index leads_by_list on leads ((${listOf}), sort_key, id)`.execute(db)
  await sql`create index leads_answered on leads (answered_at) where answered_at is not null`.execute(db)
  await sql`create index leads_unindexed on leads (id) where is_indexed = 0`.execute(db)
  await sql`create index leads_by_email on leads (lower(email))`.execute(db)
  if (isShared(db)) await sql`create index lead_index_words on lead_index using gin (words)`.execute(db)
}
