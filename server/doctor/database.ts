import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { createRefusal } from '../backup/why-not-restored.ts'
import { count } from '../count.ts'
import { isRestorePending } from '../database/finish-restore.ts'
import { isBusy } from '../database/open-alone.ts'
import type { Schema } from '../database/schema.ts'
import { schemaAge } from '../database/schema-age.ts'
import { checkContents } from './contents.ts'
import { checkEarlierLeads } from './earlier-leads.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('database')
// SQLite writes the log back at 4 MB; much more means that somebody keeps it from doing so.
const LARGE_LOG_BYTES = 64 * 1024 * 1024
const PATIENCE_MS = 1_000

/** Looks into `leads.db`, beside a running server: is it whole, does its time fit ours, does the mail flow. */
export async function checkDatabase(
  dataDir: string,
  smtpUrl: string | undefined,
  now: Date,
): Promise<Finding[]> {
  if (isRestorePending(dataDir))
    return [about.problem('A restore was interrupted.', 'Start the server: it finishes it.')]
  const path = join(dataDir, 'leads.db')
  if (!existsSync(path))
    return [about.warning(`${path} does not exist yet.`, 'Start the server once; it makes the database.')]
  let sqlite: Sqlite.Database | undefined
  try {
    // Only a writer can play back the journal of an interrupted change, as a start does.
    sqlite = new Sqlite(path, { readonly: !existsSync(`${path}-journal`), timeout: PATIENCE_MS })
    const whole = checkWhole(sqlite)
    if (whole.state === 'problem' || schemaAge(sqlite) !== 'current') return [whole]
    const db = new Kysely<Schema>({ dialect: new SqliteDialect({ database: sqlite }) })
    return [
      whole,
      ...(await checkShape(sqlite)),
      ...checkLog(path),
      ...checkEarlierLeads(sqlite, dataDir),
      ...(await checkContents(db, smtpUrl, now)),
    ]
  } catch (error) {
    if (isBusy(error))
      return [about.warning(`${path} is in use by another command.`, 'Run this again when it has ended.')]
    const reason = error instanceof Error ? error.message : String(error)
    return [about.problem(`${path} cannot be read: ${reason}.`, restoreAdvice)]
  } finally {
    sqlite?.close()
  }
}

const restoreAdvice =
  'Stop the server, keep a copy of the data directory, and restore the last backup: see server/operations.md.'

function checkWhole(sqlite: Sqlite.Database): Finding {
  const check = sqlite.pragma('quick_check(1)', { simple: true })
  if (check !== 'ok') return about.problem(`leads.db is damaged: ${check}.`, restoreAdvice)
  const age = schemaAge(sqlite)
  if (age === 'newer')
    return about.problem('leads.db was written by a newer version of this program.', 'Start that version.')
  if (age === 'empty')
    return about.warning('leads.db is empty.', 'Start the server once; it makes the tables.')
  if (age === 'older')
    return about.warning('leads.db has an older shape.', 'The next start of the server brings it up to date.')
  const leads = sqlite.prepare('select count(*) from leads').pluck().get()
  return about.ok(`leads.db is whole, with ${count(Number(leads), 'lead')}.`)
}

/** What somebody has added or changed by hand may work, but its backups could not be restored. */
async function checkShape(sqlite: Sqlite.Database): Promise<Finding[]> {
  const reason = (await createRefusal())(sqlite)
  if (!reason) return []
  return [
    about.warning(
      `leads.db is not as this program makes it, so \`restore\` will refuse its backups. ${reason}`,
      'If you did this, undo it with an SQLite tool (drop ..., update ...), then take a backup. If not, find out who did.',
    ),
  ]
}

function checkLog(path: string): Finding[] {
  const log = `${path}-wal`
  const bytes = existsSync(log) ? statSync(log).size : 0
  if (bytes < LARGE_LOG_BYTES) return []
  return [
    about.warning(
      `${log} has grown to ${Math.round(bytes / 1e6)} MB.`,
      'Close other programs that hold leads.db open; the server then writes the log back.',
    ),
  ]
}
