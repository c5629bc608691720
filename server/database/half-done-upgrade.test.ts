import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { openDatabase } from './open-database.ts'

// Earlier versions ran these statements without a transaction, so an upgrade could be killed between two of them.
const recorded = readFileSync(
  join(import.meta.dirname, '../proof/testing/fixtures/migrations-one-by-one.sql'),
  'utf8',
)
const steps = recorded.split(/^-- /m).flatMap((text) => {
  const [name = '', ...lines] = text.split('\n')
  const statements = lines.join('\n').trim().split(/;$/m).filter(Boolean)
  // If an upgrade was killed just before it recorded migration 004, the next start ran 004 again and could be killed, too.
  const runs = name.startsWith('004') ? [...statements, ...statements] : statements
  return name ? [{ name, statements: runs }] : []
})
const interrupted = steps.flatMap(({ name, statements }) =>
  statements.map((_, index) => ({ name, statements: index + 1 })),
)

const leads = `
  insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website, budget, message, content_hash)
  values ('1', 'Q-1', '2026-03-02T15:00:00.000Z', 'Ada', '', 'a@example.com', '', '', '', '', 'one', 'x'),
    ('2', 'Q-2', '2026-03-02T16:00:00.000Z', 'Eve', '', 'e@example.com', '', '', '', '', 'two', 'y');
  insert into outbox (id, lead_id, kind, recipient, state, attempts, due_at, message_id)
  values (7, '1', 'owner_notice', 'owner@example.com', 'queued', 1, '2026-03-02T15:00:00.000Z', '<1.0@example.com>'),
    (8, '2', 'owner_notice', 'owner@example.com', 'sent', 2, '2026-03-02T16:00:00.000Z', '<2.0@example.com>');
  insert into outbox_attempts values (7, '2026-03-02T15:00:00.000Z', 'retry', 451, 'later'),
    (8, '2026-03-02T16:00:00.000Z', 'retry', 451, 'later'), (8, '2026-03-02T16:01:00.000Z', 'sent', 250, 'ok')`

/** Creates the `leads.db` that remains if an upgrade is killed in migration `name`, after this number of its statements. */
function createHalfDone(dataDir: string, name: string, statements: number) {
  const sqlite = new Sqlite(join(dataDir, 'leads.db'))
  sqlite.pragma('foreign_keys = ON')
  for (const step of steps) {
    const isLast = step.name === name
    for (const statement of step.statements.slice(0, isLast ? statements : undefined)) sqlite.exec(statement)
    if (isLast) break
    sqlite.prepare("insert into kysely_migration values (?, '2026-03-02T08:00:00.000Z')").run(step.name)
    if (step === steps[0]) sqlite.exec(leads)
  }
  sqlite.close()
}

async function openAndRead(dataDir: string) {
  await (await openDatabase(dataDir)).destroy()
  const sqlite = new Sqlite(join(dataDir, 'leads.db'))
  const all = (query: string) => sqlite.prepare<[], Record<string, unknown>>(query).all()
  const result = {
    schema: all("select name, coalesce(sql, '') as sql from sqlite_master order by name").map(
      ({ name, sql }) => `${name}: ${String(sql).replace(/\s+/g, ' ')}`,
    ),
    settings: all('select name from settings order by name'),
    leads: all('select * from leads order by id'),
    outbox: all('select * from outbox order by id'),
    attempts: all('select * from outbox_attempts order by rowid'),
    broken: sqlite.pragma('foreign_key_check'),
  }
  sqlite.close()
  return result
}

async function upgradeAtOnce(name?: string, statements = 0) {
  using folder = newDataDir()
  if (name) createHalfDone(folder.path, name, statements)
  return await openAndRead(folder.path)
}
const newDatabase = await upgradeAtOnce()
const upgradedAtOnce = await upgradeAtOnce('002-spam-signals')

test.each(interrupted)(
  'an upgrade killed in $name after statement $statements is completed by the next start',
  async ({ name, statements }) => {
    using killed = newDataDir()
    const isBeforeLeads = name === steps[0]?.name
    createHalfDone(killed.path, name, statements)

    const upgraded = await openAndRead(killed.path)

    expect(upgraded).toEqual(isBeforeLeads ? newDatabase : upgradedAtOnce)
    expect([upgraded.leads.length, upgraded.outbox.length, upgraded.attempts.length]).toEqual(
      isBeforeLeads ? [0, 0, 0] : [2, 2, 3],
    )
  },
)
