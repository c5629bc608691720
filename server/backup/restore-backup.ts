import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { finishRestore, namesForRestore, preparedFile } from '../database/finish-restore.ts'
import { identityOf } from '../database/identity-of.ts'
import { lockDataDirectory } from '../database/lock-data-directory.ts'
import { openAlone } from '../database/open-alone.ts'
import { isDiskFailure } from '../database/storage-error.ts'
import { giveToOwnerOf } from '../files/give-to-owner.ts'
import { syncFile, syncFolder } from '../files/sync.ts'
import { copyDatabase, type OnProgress, removeDatabase, UnusableDatabase } from './copy-database.ts'
import { createRestoreCheck } from './restore-check.ts'

// The live database with its logs, and the temporary files of a restore.
const ownFiles = /^leads\.db(-wal|-shm|-journal|\.restor(e\.part|ing-).*)?$/

const UNSENT_ANSWER = 'A backup was restored that still had your answer waiting. It may not have been sent.'

/** Called with the file that will keep the current leads, before anything is moved. */
type OnKeep = (path: string) => void

/**
 * Replaces `leads.db` with a verified copy of `file`, and keeps the old one as `keptAs`. Refuses while the database is in
 * use. One rename commits the restore; if it's interrupted after that, the next server start finishes it.
 */
export async function restoreBackup(
  dataDir: string,
  file: string,
  now: Date,
  onKeep: OnKeep,
  onProgress?: OnProgress,
) {
  const lock = lockDataDirectory(dataDir)
  let current: Sqlite.Database | undefined
  let isCommitted = false
  try {
    assertNotOurs(dataDir, file)
    const interrupted = finishRestore(dataDir)
    if (interrupted) onKeep(interrupted)
    current = openCurrent(dataDir)
    const contents = await prepare(file, dataDir, onProgress)
    const { marker, aside } = namesForRestore(dataDir, now)
    const keptAs = existsSync(join(dataDir, 'leads.db')) ? aside : undefined
    if (keptAs) onKeep(keptAs)
    const leftBehind = current && countLater(current, contents.newestLeadAt)
    // Windows can't rename an open file.
    if (process.platform === 'win32') current?.close()
    renameSync(preparedFile(dataDir), marker)
    isCommitted = true
    syncFolder(dataDir)
    finishRestore(dataDir)
    return { ...contents, keptAs, leftBehind }
  } finally {
    if (!isCommitted && current?.open) switchToWal(current)
    current?.close()
    lock.release()
  }
}

/** Copies and verifies the backup. */
async function prepare(file: string, dataDir: string, onProgress?: OnProgress) {
  const part = preparedFile(dataDir)
  try {
    const contents = await copyDatabase(file, part, { onProgress, whyUnusable: await createRestoreCheck() })
    const restored = new Sqlite(part)
    const withdrawn = withdrawLate(restored)
    endSessions(restored)
    // Like the server: a command that is killed before the next start then leaves no journal.
    restored.pragma('journal_mode = WAL')
    restored.close()
    const current = join(dataDir, 'leads.db')
    giveToOwnerOf(existsSync(current) ? current : dataDir, part)
    syncFile(part)
    return { ...contents, waitingEmails: contents.waitingEmails - withdrawn, withdrawn }
  } catch (error) {
    removeDatabase(part)
    throw error
  }
}

/**
 * Deletes queued emails that would arrive too late: all except owner notices. Returns how many. Leads whose answer was
 * among them are open again, on top.
 */
function withdrawLate(restored: Sqlite.Database): number {
  restored.pragma('foreign_keys = ON')
  restored.pragma('secure_delete = ON')
  if (restored.prepare("select 1 from pragma_table_info('leads') where name = 'trouble'").get())
    restored
      .prepare(
        `update leads set state = 'open', version = version + 1, sort_key = '', follow_up_on = null, trouble = ?
         where id in (select lead_id from outbox where kind = 'answer' and state in ('queued', 'sending'))`,
      )
      .run(UNSENT_ANSWER)
  return restored
    .prepare("delete from outbox where state in ('queued', 'sending') and kind <> 'owner_notice'")
    .run().changes
}

/** Otherwise somebody who has signed out since would be signed in again. Backups of older versions have no such tables. */
function endSessions(restored: Sqlite.Database) {
  const tables = restored
    .prepare<[], string>(
      "select name from sqlite_schema where name in ('sessions', 'sign_ins', 'passkey_challenges')",
    )
    .pluck()
    .all()
  for (const table of tables) restored.exec(`delete from ${table}`)
}

/** Opens the current database exclusively; undefined if there is none or it's unreadable. */
function openCurrent(dataDir: string): Sqlite.Database | undefined {
  const path = join(dataDir, 'leads.db')
  if (!existsSync(path)) return undefined
  try {
    return openAlone(path)
  } catch (error) {
    if (isDiskFailure(error)) return undefined
    throw error
  }
}

/** Undoes the mode change of `openAlone`. */
function switchToWal(sqlite: Sqlite.Database) {
  try {
    sqlite.pragma('journal_mode = WAL')
  } catch {
    // The next start does it. Don't hide the error that ended the restore.
  }
}

type LeftBehind = { leads: number; untold: number }

/** Counts the leads after that time, and those whose owner notice was never sent. Undefined if unreadable. */
function countLater(current: Sqlite.Database, newestLeadAt: string | null): LeftBehind | undefined {
  try {
    return current
      .prepare<[string], LeftBehind>(
        `select count(*) as leads, coalesce(sum(exists (select 1 from outbox
            where lead_id = leads.id and kind = 'owner_notice' and state <> 'sent')), 0) as untold
         from leads where created_at > ?`,
      )
      .get(newestLeadAt ?? '')
  } catch (error) {
    // Foreign or damaged: set it aside anyway.
    if (error instanceof Sqlite.SqliteError) return undefined
    throw error
  }
}

/** Refuses a file that the restore itself moves or overwrites, under any name. */
function assertNotOurs(dataDir: string, file: string) {
  const given = identityOf(file)
  const names = readdirSync(dataDir).filter((name) => ownFiles.test(name))
  if (names.some((name) => identityOf(join(dataDir, name)) === given))
    throw new UnusableDatabase('It belongs to the current leads. Name a backup.')
}
