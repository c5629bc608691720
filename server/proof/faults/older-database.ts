import { cpSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate, sqliteMigrationNames } from '../../database/migrate.ts'
import type { Schema } from '../../database/schema.ts'
import { newDataDir } from '../testing/start-program.ts'

/** The migrations that may have been the newest ones when an older version was installed: all but today's newest. */
export const olderMigrations: readonly string[] = sqliteMigrationNames.slice(0, -1)

/**
 * Creates a `leads.db` like the one that an older server leaves behind when it is killed: migrated up to `step`, with some
 * leads only in the WAL. Returns the references of the leads.
 */
export async function createOlderDatabase(folder: string, step: string, leads: number): Promise<string[]> {
  using scratch = newDataDir()
  const sqlite = new Sqlite(join(scratch.path, 'leads.db'))
  sqlite.pragma('journal_mode = WAL')
  sqlite.pragma('foreign_keys = ON')
  const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) })
  const [first = '', ...later] = sqliteMigrationNames.slice(0, sqliteMigrationNames.indexOf(step) + 1)
  await migrate(db, first)
  insertLeads(sqlite, leads)
  for (const name of later) await migrate(db, name)
  const references = sqlite.prepare<[], string>('select reference from leads').pluck().all()
  // Copy before closing the database, which would empty the WAL.
  for (const suffix of ['', '-wal'])
    cpSync(join(scratch.path, `leads.db${suffix}`), join(folder, `leads.db${suffix}`))
  await db.destroy()
  return references
}

/** Inserts leads as the first version stored them. All emails have been sent, except two that are due in an hour. */
function insertLeads(sqlite: Sqlite.Database, count: number) {
  sqlite.exec(`
    begin;
    with recursive number(n) as (select 0 union all select n + 1 from number where n + 1 < ${count})
    insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website, budget, message, content_hash)
    select printf('%012d', n), 'Q-' || n, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', -n || ' minutes'), 'Ada', 'Number ' || n,
      'person' || n || '@example.com', '', '', '', 'starter', 'Message ' || n || hex(randomblob(150)), hex(randomblob(32)) from number;
    insert into outbox (lead_id, kind, recipient, state, attempts, due_at, sent_at, message_id)
    select id, 'owner_notice', 'owner@example.com', iif(rowid > 2, 'sent', 'queued'), 1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '1 hour'),
      iif(rowid > 2, created_at, null), '<' || id || '.0@example.com>' from leads;
    insert into outbox_attempts (outbox_id, at, outcome, smtp_code, response)
    select id, due_at, iif(state = 'sent', 'sent', 'retry'), iif(state = 'sent', 250, 451), 'a reply' from outbox;
    commit;`)
}
