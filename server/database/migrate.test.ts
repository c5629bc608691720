import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { expect, test } from 'vitest'
import { listOf } from './list-of.ts'
import { migrate, sqliteMigrationNames } from './migrate.ts'
import type { Schema } from './schema.ts'
import { schemaAge } from './schema-age.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'

test('migrating an old database keeps its leads, emails and delivery log', async () => {
  const sqlite = new Sqlite(':memory:')
  sqlite.pragma('foreign_keys = ON')
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) })
  await migrate(db, '001-leads-and-outbox')
  const at = '2026-03-02T15:00:00.000Z'
  const words = ['Ada', 'Lovelace', 'ada@example.com', '', '', '', 'starter', 'A roof']
  sqlite
    .prepare(
      `insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website, budget, message, content_hash)
       values ('1', 'Q-1', ?, ?, ?, ?, ?, ?, ?, ?, ?, 'x')`,
    )
    .run(at, ...words)
  sqlite.exec(`
    insert into outbox (id, lead_id, kind, recipient, attempts, due_at, message_id)
    values (7, '1', 'owner_notice', 'owner@example.com', 1, '${at}', '<1.0@example.com>');
    insert into outbox_attempts values (7, '${at}', 'retry', 451, '451 later');`)

  for (const name of sqliteMigrationNames) await migrate(db, name)

  expect(await db.selectFrom('leads').selectAll().execute()).toMatchObject([{ id: '1', message: 'A roof' }])
  expect(await db.selectFrom('outbox').selectAll().execute()).toMatchObject([
    { id: 7, lead_id: '1', state: 'queued', attempts: 1, queued_at: at, due_at: at, content: null },
  ])
  expect(await db.selectFrom('outbox_attempts').selectAll().execute()).toMatchObject([
    { outbox_id: 7, outcome: 'retry', smtp_code: 451 },
  ])
  expect(sqlite.pragma('foreign_key_check')).toEqual([])
  expect(sqlite.prepare('select delivery, attempts from lead_overview').get()).toEqual({
    delivery: 'waiting',
    attempts: 1,
  })
  await db.deleteFrom('leads').execute()
  expect(await db.selectFrom('outbox_attempts').selectAll().execute()).toEqual([])
  await db.destroy()
})

const DAY_MS = 24 * 60 * 60 * 1000
const at = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString()

test('migration 008 marks leads older than 30 days as answered, except suspected spam, and leaves the others open', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) })
  await migrate(db, '007-files-are-no-delivery')
  const insert = sqlite.prepare(
    `insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website, budget, message, content_hash, spam_score)
     values (?, ?, ?, '', '', '', '', '', '', '', '', '', ?)`,
  )
  for (const [id, daysAgo, score] of [
    ['old', 31, 9],
    ['old suspect', 31, 10],
    ['recent', 29, 0],
  ])
    insert.run(id, id, at(Number(daysAgo)), score)

  await migrate(db)

  const columns = ['id', 'state', 'seen_at', 'answered_at', 'version', 'is_indexed'] as const
  const same = { answered_at: null, version: 0, is_indexed: 0 }
  const leads = await db.selectFrom('leads').select(columns).orderBy('id').execute()
  expect(leads).toEqual([
    { id: 'old', state: 'answered', seen_at: expect.stringMatching(/Z$/), ...same },
    { id: 'old suspect', state: 'open', seen_at: null, ...same },
    { id: 'recent', state: 'open', seen_at: null, ...same },
  ])
  const { rows } =
    await sql<object>`select * from leads where due_at <= created_at or sort_key <> due_at`.execute(db)
  expect(rows).toEqual([])
  await db.destroy()
})

test('migration 008 reports how many leads it has migrated', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) })
  await migrate(db, '007-files-are-no-delivery')
  sqlite.exec(`
    with recursive number(n) as (select 1 union all select n + 1 from number where n < 1200)
    insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website, budget, message, content_hash)
    select n, n, '2026-03-02T15:00:00.000Z', '', '', '', '', '', '', '', '', '' from number`)
  const reported: number[][] = []

  await migrate(db, undefined, (...progress) => reported.push(progress))

  expect(reported).toEqual([
    [500, 1200],
    [1000, 1200],
    [1200, 1200],
  ])
  await db.destroy()
})

test('a query for one of the inbox lists uses an index', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) })
  await migrate(db)

  const { rows } = await sql<{ detail: string }>`
    explain query plan select id from leads where ${listOf} = 'open' and (sort_key, id) > ('', '')
    order by sort_key, id limit 100`.execute(db)

  expect(rows.map(({ detail }) => detail)).toEqual([
    expect.stringMatching(/^SEARCH leads USING .*INDEX leads_by_list/),
  ])
  await db.destroy()
})

test('a migration that fails halfway changes nothing and can run again', async () => {
  const sqlite = new Sqlite(':memory:')
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(sqlite) })
  await migrate(db, '001-leads-and-outbox')
  // Makes migration 005 fail, because it creates an index with this name.
  sqlite.exec('create table outbox_waiting (obstacle)')
  const before = sqlite.serialize()

  await expect(migrate(db)).rejects.toThrow('there is already a table named outbox_waiting')

  expect(sqlite.serialize().equals(before)).toBe(true)
  sqlite.exec('drop table outbox_waiting')
  await migrate(db)
  expect(schemaAge(sqlite)).toBe('current')
  await db.destroy()
})
