import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { isRestorePending } from '../backup/finish-restore.ts'
import { count } from '../count.ts'
import type { Schema } from '../database/schema.ts'
import { schemaAge } from '../database/sqlite.ts'
import { isBusy } from '../database/storage-error.ts'
import { checkContents, type RelatedSettings } from './contents.ts'
import { checkEarlierLeads } from './earlier-leads.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { checkSchemaAge } from './schema-finding.ts'

const about = findingsAbout('database')
// At 4 MB, SQLite normally goes back to the start of its write-ahead log (WAL) and overwrites it. If the WAL is much larger,
// another program is preventing that.
const LARGE_WAL_BYTES = 64 * 1024 * 1024
const TIMEOUT_MS = 1_000

/** Checks `leads.db` while the server runs: integrity, schema and contents. */
export async function checkDatabase(
  dataDir: string,
  settings: RelatedSettings,
  now: Date,
): Promise<Finding[]> {
  if (isRestorePending(dataDir))
    return [about.problem('A restore was interrupted.', 'Start the server: it finishes the restore.')]
  const path = join(dataDir, 'leads.db')
  if (!existsSync(path))
    return [about.warning(`${path} does not exist yet.`, 'Start the server once; it creates the database.')]
  let sqlite: Sqlite.Database | undefined
  try {
    // A journal is left if a change was interrupted. To roll the change back, SQLite needs write access.
    sqlite = new Sqlite(path, { readonly: !existsSync(`${path}-journal`), timeout: TIMEOUT_MS })
    const integrity = checkIntegrity(sqlite)
    if (integrity.state === 'problem' || schemaAge(sqlite) !== 'current') return [integrity]
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) })
    return [
      integrity,
      ...checkWalSize(path),
      ...checkEarlierLeads(sqlite, dataDir),
      ...(await checkContents(db, settings, now)),
    ]
  } catch (error) {
    if (isBusy(error))
      return [about.warning(`${path} is in use by another command.`, 'Try again when that command is done.')]
    const reason = error instanceof Error ? error.message : String(error)
    return [about.problem(`${path} cannot be read: ${reason}.`, restoreAdvice)]
  } finally {
    sqlite?.close()
  }
}

const restoreAdvice =
  'Stop the server, copy the data directory somewhere safe, and restore the last backup (see server/operations.md).'

function checkIntegrity(sqlite: Sqlite.Database): Finding {
  const check = sqlite.pragma('quick_check(1)', { simple: true })
  if (check !== 'ok') return about.problem(`leads.db is damaged: ${check}.`, restoreAdvice)
  const otherVersion = checkSchemaAge('leads.db', schemaAge(sqlite))
  if (otherVersion) return otherVersion
  const leads = sqlite.prepare('select count(*) from leads').pluck().get()
  return about.ok(`leads.db is intact, with ${count(Number(leads), 'lead')}.`)
}

function checkWalSize(path: string): Finding[] {
  const wal = `${path}-wal`
  const bytes = existsSync(wal) ? statSync(wal).size : 0
  if (bytes < LARGE_WAL_BYTES) return []
  return [
    about.warning(
      `${wal} has grown to ${Math.round(bytes / 1e6)} MB.`,
      'Close other programs that use leads.db, then restart the server. That shrinks the file.',
    ),
  ]
}
