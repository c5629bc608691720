import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { migrate, sqliteMigrationNames } from '../../database/migrate.ts'

/**
 * The bytes of a `leads.db` as the first version of this program created it, with one lead whose email is waiting. If
 * `isUpToDate`, the file is then migrated to the newest schema.
 */
export async function firstVersionDatabase(reference: string, isUpToDate = false): Promise<Buffer> {
  const path = join(tmpdir(), `website-old-${process.pid}.db`)
  const sqlite = new Sqlite(path)
  const db = new Kysely({ dialect: new SqliteDialect({ database: sqlite }) })
  await migrate(db, sqliteMigrationNames[0])
  const at = '2026-01-05T09:00:00.000Z'
  sqlite
    .prepare(
      `insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website, budget,
        message, content_hash) values ('019b8d00-0000-7000-8000-000000000000', ?, ?, 'Old', 'Timer',
        'old@example.com', '', '', '', '', 'From the version before', 'x')`,
    )
    .run(reference, at)
  sqlite.exec(
    `insert into outbox (lead_id, kind, recipient, due_at, message_id) select id, 'owner_notice',
      'owner@agency.example', '${at}', '<old@agency.example>' from leads`,
  )
  if (isUpToDate) await migrate(db)
  sqlite.close()
  const bytes = readFileSync(path)
  rmSync(path)
  return bytes
}
