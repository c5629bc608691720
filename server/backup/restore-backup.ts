import { existsSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { lockDataDirectory } from '../database/lock-data-directory.ts'
import { openExclusively, schemaAge } from '../database/sqlite.ts'
import { isDiskFailure } from '../database/storage-error.ts'
import { giveToOwnerOf } from '../files/give-to-owner.ts'
import { identityOf } from '../files/identity-of.ts'
import { syncFile, syncFolder } from '../files/sync.ts'
import { copyDatabase, type OnProgress, removeDatabase, UnusableDatabase } from './copy-database.ts'
import { finishRestore, namesForRestore, preparedFile } from './finish-restore.ts'
import { describeBackup } from './restored-backup.ts'
import { withdrawAnswers } from './withdraw-answers.ts'
import { withdrawPosts } from './withdraw-posts.ts'

// The live database, the files that SQLite keeps next to it, and the temporary files of a restore.
const ownFiles = /^leads\.db(-wal|-shm|-journal|\.restor(e\.part|ing-).*)?$/

/**
 * Replaces `leads.db` with a verified copy of `file`. Keeps the old database under another name, and calls `onKeep` with its
 * new path before moving it. Throws if the database is in use. One rename commits the restore; if the restore is interrupted
 * after that, the next server start finishes it.
 */
export async function restoreBackup(
  dataDir: string,
  file: string,
  now: Date,
  onKeep: (path: string) => void,
  onProgress?: OnProgress,
) {
  const unlock = lockDataDirectory(dataDir)
  let current: Sqlite.Database | undefined
  let isCommitted = false
  try {
    assertNotOwnFile(dataDir, file)
    const interrupted = finishRestore(dataDir)
    if (interrupted) onKeep(interrupted)
    current = openCurrent(dataDir)
    const contents = await prepareDatabase({ file, dataDir, now, onProgress })
    const { marker, aside } = namesForRestore(dataDir, now)
    const keptAs = existsSync(join(dataDir, 'leads.db')) ? aside : undefined
    if (keptAs) onKeep(keptAs)
    const leftBehind = current && countNewer(current, contents.newestLeadAt)
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
    unlock()
  }
}

type Prepare = { file: string; dataDir: string; now: Date; onProgress: OnProgress | undefined }

async function prepareDatabase({ file, dataDir, now, onProgress }: Prepare) {
  const part = preparedFile(dataDir)
  try {
    const contents = await copyDatabase(file, part, { onProgress, whyUnusable })
    const restored = new Sqlite(part)
    restored.pragma('foreign_keys = ON')
    restored.pragma('secure_delete = ON')
    const withdrawnAnswers = withdrawAnswers(restored, now)
    const withdrawnPosts = withdrawPosts(restored, now)
    const deletedEmails = deleteLateEmails(restored)
    removeAccess(restored)
    restored
      .prepare("insert or replace into settings (name, value) values ('restored_backup', ?)")
      .run(JSON.stringify(describeBackup(file)))
    // Don't leave this to the next server start: a command that ran before it and was killed would leave a rollback journal,
    // and with one, even reading the database requires write access.
    restored.pragma('journal_mode = WAL')
    restored.close()
    const current = join(dataDir, 'leads.db')
    giveToOwnerOf(existsSync(current) ? current : dataDir, part)
    syncFile(part)
    const waitingEmails = contents.waitingEmails - deletedEmails - withdrawnPosts
    return { ...contents, waitingEmails, deletedEmails, withdrawnAnswers, withdrawnPosts }
  } catch (error) {
    removeDatabase(part)
    throw error
  }
}

function whyUnusable(backup: Sqlite.Database): string | undefined {
  return schemaAge(backup) === 'foreign'
    ? 'It belongs to a newer version of this program, or to another program.'
    : undefined
}

/** Deletes the unsent emails that would arrive too late: all but those that tell owners about new leads. Returns how many. */
const deleteLateEmails = (restored: Sqlite.Database): number =>
  restored
    .prepare(
      "delete from outbox where state in ('queued', 'sending') and kind not in ('owner_notice', 'notice_list')",
    )
    .run().changes

/**
 * Signs everybody out and deletes all passkeys. Otherwise, sessions and passkeys that an owner has ended or removed since the
 * backup would work again.
 */
const removeAccess = (restored: Sqlite.Database) =>
  restored.exec(
    'delete from sessions; delete from sign_ins; delete from passkeys; delete from passkey_challenges',
  )

/** Opens the current database; undefined if there is none, or if it's unreadable. */
function openCurrent(dataDir: string): Sqlite.Database | undefined {
  const path = join(dataDir, 'leads.db')
  if (!existsSync(path)) return undefined
  try {
    return openExclusively(path)
  } catch (error) {
    if (isDiskFailure(error)) return undefined
    throw error
  }
}

/** Undoes the mode change made by `openExclusively`. */
function switchToWal(sqlite: Sqlite.Database) {
  try {
    sqlite.pragma('journal_mode = WAL')
  } catch {
    // The next server start switches to WAL. Throwing here would hide the original error.
  }
}

type LeftBehind = { leads: number; unnotified: number }

/** Counts the leads that are newer than the backup, and those that the owner got no email about. Undefined on an error. */
function countNewer(current: Sqlite.Database, newestLeadAt: string | null): LeftBehind | undefined {
  try {
    return current
      .prepare<[string], LeftBehind>(
        `select count(*) as leads, coalesce(sum(exists (select 1 from outbox
            where lead_id = leads.id and kind = 'owner_notice' and state not in ('sent', 'listed'))), 0) as unnotified
         from leads where created_at > ?`,
      )
      .get(newestLeadAt ?? '')
  } catch (error) {
    // The database is damaged or isn't ours. The restore keeps the file anyway.
    if (error instanceof Sqlite.SqliteError) return undefined
    throw error
  }
}

/** Refuses a file that the restore itself would move or overwrite, including a link to such a file. */
function assertNotOwnFile(dataDir: string, file: string) {
  const identity = identityOf(file)
  const names = readdirSync(dataDir).filter((name) => ownFiles.test(name))
  if (names.some((name) => identityOf(join(dataDir, name)) === identity))
    throw new UnusableDatabase('It belongs to the current database. Choose a backup.')
}
