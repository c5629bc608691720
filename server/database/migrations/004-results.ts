import { type Kysely, PostgresAdapter, sql } from 'kysely'
import { hours } from '#facts/hours.ts'
import { createTimeZone } from '#shared/time/time-zone.ts'

/**
 * Makes results apart from states: until now, a won customer who wrote again was no longer won. A
 * follow-up has a time instead of a day, that of the office's opening. Adds up to which event some
 * owner has read a lead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isShared = db.getExecutor().adapter instanceof PostgresAdapter
  const type = isShared ? sql`text collate "C"` : sql`text`
  const kept = isShared ? sql`stored` : sql`virtual`
  const run = async (...statements: ReturnType<typeof sql>[]) => {
    for (const statement of statements) await statement.execute(db)
  }
  await run(
    sql`drop index leads_by_list`,
    sql`alter table leads drop column list`,
    sql`alter table leads rename column follow_up_on to follow_up_at`,
    sql`alter table leads add column result ${type}`,
    sql`alter table leads add column read_up_to bigint not null default 0`,
    sql`update leads set result = state, state = 'answered' where state in ('won', 'lost')`,
    // What a message, or an answer that didn't arrive, has taken away since.
    sql`update leads set result = (
        select case when what in ('reply', 'answer_failed') then from_value end from lead_events
        where lead_id = leads.id and from_value in ('won', 'lost') and what <> 'undone'
        order by id desc limit 1)
      where result is null and state <> 'spam'`,
    sql`update leads set read_up_to = coalesce((select max(id) from lead_events where lead_id = leads.id), 0)
      where seen_at is not null or state <> 'open'`,
  )
  await giveTimes(db)
  await run(
    // A message no longer sorts its lead to the top.
    sql`update leads set sort_key = due_at where state = 'open' and trouble is null and follow_up_at is null`,
    sql`update leads set sort_key = '1' || follow_up_at where follow_up_at is not null and state <> 'spam'`,
    // What an answer can still be undone to.
    sql`update lead_events set before = replace(replace(replace(replace(before,
        '"follow_up_on"', '"follow_up_at"'),
        '"state":"', '"result":null,"state":"'),
        '"result":null,"state":"won"', '"result":"won","state":"answered"'),
        '"result":null,"state":"lost"', '"result":"lost","state":"answered"')
      where before is not null`,
    sql`alter table leads add column list ${type} generated always as (case
      when follow_up_at is not null and state in ('open', 'answered') then 'open'
      when state = 'open' and spam_score >= 10 and verdict is null then 'suspects'
      when state = 'answered' and result is not null then result
      else state end) ${kept}`,
    sql`create index leads_by_list on leads (list, sort_key, id)`,
    // For the lists of won and lost leads.
    sql`create index leads_by_result on leads (result, id) where result is not null`,
  )
  // Without statistics of the new columns, PostgreSQL would read the whole table for each list.
  if (isShared) await sql`analyze leads`.execute(db)
}

/** Turns the days of follow-ups into times, also in what changes can be undone to. */
async function giveTimes(db: Kysely<unknown>): Promise<void> {
  const { fromWall } = createTimeZone(hours.timeZone)
  const openingOn = (day: string) => new Date(fromWall(Date.parse(`${day}T${hours.opens}Z`))).toISOString()
  const days = await sql<{ day: string }>`
    select distinct follow_up_at as day from leads where follow_up_at is not null`.execute(db)
  for (const { day } of days.rows)
    await sql`update leads set follow_up_at = ${openingOn(day)} where follow_up_at = ${day}`.execute(db)
  const events = await sql<{ id: number; before: string }>`
    select id, before from lead_events where before like '%"follow_up_on":"%'`.execute(db)
  for (const { id, before } of events.rows) {
    const withTimes = before.replace(
      /"(follow_up_on":"|sort_key":"1)(\d{4}-\d\d-\d\d)"/g,
      (_, name, day) => `"${name}${openingOn(day)}"`,
    )
    await sql`update lead_events set before = ${withTimes} where id = ${id}`.execute(db)
  }
}
