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
import { createRefusal } from './why-not-restored.ts'

// The present leads with their logs, and what a restore makes on its way.
const ours = /^leads\.db(-wal|-shm|-journal|\.restor(e\.part|ing-).*)?$/

/** Called with the name of the file that will hold the present leads, before anything of them is moved. */
type OnKeep = (path: string) => void

/**
 * Puts a verified copy of `file` in the place of `leads.db`, which is kept under the name that is returned. Refuses
 * while anybody uses the leads. One rename decides; what is interrupted after it, the next start of the server finishes.
 */
export async function restoreBackup(
  dataDir: string,
  file: string,
  now: Date,
  onKeep: OnKeep,
  onProgress?: OnProgress,
) {
  const lock = lockDataDirectory(dataDir)
  let present: Sqlite.Database | undefined
  let isDecided = false
  try {
    assertNotOurs(dataDir, file)
    const interrupted = finishRestore(dataDir)
    if (interrupted) onKeep(interrupted)
    present = openPresent(dataDir)
    const contents = await prepare(file, dataDir, onProgress)
    const { marker, aside } = namesForRestore(dataDir, now)
    const keptAs = existsSync(join(dataDir, 'leads.db')) ? aside : undefined
    if (keptAs) onKeep(keptAs)
    const leftBehind = present && countLater(present, contents.newestLeadAt)
    // Windows renames no open file, and so keeps others out by itself.
    if (process.platform === 'win32') present?.close()
    renameSync(preparedFile(dataDir), marker)
    isDecided = true
    syncFolder(dataDir)
    finishRestore(dataDir)
    return { ...contents, keptAs, leftBehind }
  } finally {
    if (!isDecided && present?.open) switchToWal(present)
    present?.close()
    lock.release()
  }
}

/** Copies and verifies the backup, ready to be `leads.db`. */
async function prepare(file: string, dataDir: string, onProgress?: OnProgress) {
  const part = preparedFile(dataDir)
  try {
    const contents = await copyDatabase(file, part, { onProgress, whyUnusable: await createRefusal() })
    const copy = new Sqlite(part)
    const withdrawn = withdrawLate(copy)
    // As the server has it: a command that changes it before the next start then needs no journal.
    copy.pragma('journal_mode = WAL')
    copy.close()
    const present = join(dataDir, 'leads.db')
    giveToOwnerOf(existsSync(present) ? present : dataDir, part)
    syncFile(part)
    return { ...contents, waitingMails: contents.waitingMails - withdrawn, withdrawn }
  } catch (error) {
    removeDatabase(part)
    throw error
  }
}

/** Deletes the queued emails that would come too late: all but the notices to the owner. Returns how many. */
function withdrawLate(copy: Sqlite.Database): number {
  copy.pragma('foreign_keys = ON')
  copy.pragma('secure_delete = ON')
  return copy
    .prepare("delete from outbox where state in ('queued', 'sending') and kind <> 'owner_notice'")
    .run().changes
}

/** The present leads, held alone and without a log; nothing where there are none, or they cannot be read any more. */
function openPresent(dataDir: string): Sqlite.Database | undefined {
  const path = join(dataDir, 'leads.db')
  if (!existsSync(path)) return undefined
  try {
    return openAlone(path)
  } catch (error) {
    if (isDiskFailure(error)) return undefined
    throw error
  }
}

/** As the server has it: a command that is killed before the next start then leaves no journal. */
function switchToWal(sqlite: Sqlite.Database) {
  try {
    sqlite.pragma('journal_mode = WAL')
  } catch {
    // The next start does it; what ended the restore is what counts.
  }
}

type LeftBehind = { leads: number; untold: number }

/** The leads after that time, and about how many of them the owner has had no email. Undefined where nothing can be read. */
function countLater(present: Sqlite.Database, newestLeadAt: string | null): LeftBehind | undefined {
  try {
    return present
      .prepare<[string], LeftBehind>(
        `select count(*) as leads, coalesce(sum(exists (select 1 from outbox
            where lead_id = leads.id and kind = 'owner_notice' and state <> 'sent')), 0) as untold
         from leads where created_at > ?`,
      )
      .get(newestLeadAt ?? '')
  } catch (error) {
    // Of a foreign or damaged file: it is put aside all the same.
    if (error instanceof Sqlite.SqliteError) return undefined
    throw error
  }
}

/** Refuses what the restore itself moves or overwrites, by whatever name. */
function assertNotOurs(dataDir: string, file: string) {
  const given = identityOf(file)
  const names = readdirSync(dataDir).filter((name) => ours.test(name))
  if (names.some((name) => identityOf(join(dataDir, name)) === given))
    throw new UnusableDatabase('It belongs to the present leads. Name a backup.')
}
