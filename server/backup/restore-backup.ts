import { constants, copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import {
  copyDatabase,
  preparedFile,
  readContents,
  removeDatabase,
  UnusableDatabase,
} from '../database/copy-database.ts'
import { rewriteDatabase } from '../database/differences.ts'
import { lockDataDirectory } from '../database/lock-data-directory.ts'
import { migrate } from '../database/migrate.ts'
import type { Erasure } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { openExclusively, toKysely } from '../database/sqlite.ts'
import { isDiskFailure } from '../database/storage-error.ts'
import { giveToOwnerOf, identityOf } from '../files/private-files.ts'
import { syncFile, syncFolder } from '../files/sync.ts'
import { readErasures } from '../leads/erase/erasures.ts'
import { removeOutdated } from './remove-outdated.ts'

// The live database, the files that SQLite keeps next to it, and the file that a restore prepares.
const ownFiles = /^leads\.db(-wal|-shm|-journal|\.restore\.part.*)?$/

type Restore = {
  dataDir: string
  backupDir: string
  file: string
  now: Date
  /** Called with the new path of the current database, before anything is moved. */
  onKeep: (path: string) => void
}

/**
 * Replaces `leads.db` with a verified copy of `file`. Keeps the old database under another name.
 * Throws if the database is in use. One rename commits the restore: at every moment, `leads.db` is
 * either the old or the new database.
 */
export async function restoreBackup({ dataDir, backupDir, file, now, onKeep }: Restore) {
  const unlock = lockDataDirectory(dataDir)
  let current: Sqlite.Database | undefined
  try {
    assertNotOwnFile(dataDir, file)
    current = openCurrent(dataDir)
    const erasures = [
      ...readErasures(backupDir),
      ...readErasures(dirname(file)),
      ...(current ? notedErasures(current) : []),
    ]
    const contents = await prepareDatabase({ file, dataDir, now, erasures })
    const leftBehind = current && countNewer(current, contents.newestLeadAt)
    const keptAs = keepCurrent(dataDir, now, onKeep)
    // Windows can't replace an open file.
    if (process.platform === 'win32') current?.close()
    renameSync(preparedFile(dataDir), join(dataDir, 'leads.db'))
    syncFolder(dataDir)
    return { ...contents, keptAs, leftBehind }
  } finally {
    current?.close()
    unlock()
  }
}

type Prepare = Pick<Restore, 'file' | 'dataDir' | 'now'> & { erasures: Erasure[] }

/**
 * Writes the new database next to the current one: without what is out of date, and without people
 * erased since.
 */
async function prepareDatabase({ file, dataDir, now, erasures }: Prepare) {
  const part = preparedFile(dataDir)
  try {
    const { newestLeadAt } = await copyDatabase(file, part)
    const restored = openExclusively(part)
    const db = toKysely(restored)
    // The backup may be from an earlier version.
    await migrate(db)
    const remove = (transaction: Database) => removeOutdated(transaction, { file, erasures, now })
    const removed = await db.transaction().execute(remove)
    if (removed.erasedAgain.leads + removed.erasedAgain.messages > 0) await rewriteDatabase(db)
    const { leads, waitingEmails } = readContents(restored)
    // Don't leave this to the next server start: a command that ran before it and was killed would
    // leave a rollback journal, and with one, even reading the database requires write access.
    restored.pragma('journal_mode = WAL')
    await db.destroy()
    const current = join(dataDir, 'leads.db')
    giveToOwnerOf(existsSync(current) ? current : dataDir, part)
    syncFile(part)
    return { leads, newestLeadAt, waitingEmails, ...removed }
  } catch (error) {
    removeDatabase(part)
    throw error
  }
}

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

/** Queries a database that may be damaged or not ours; undefined if the query fails. */
function tryToGet<Row>(sqlite: Sqlite.Database, query: string, ...values: string[]): Row | undefined {
  try {
    return sqlite.prepare<string[], Row>(query).get(...values)
  } catch (error) {
    if (error instanceof Sqlite.SqliteError) return undefined
    throw error
  }
}

function notedErasures(sqlite: Sqlite.Database): Erasure[] {
  const query = "select value from settings where name = 'erasures'"
  return JSON.parse(tryToGet<{ value: string }>(sqlite, query)?.value ?? '[]')
}

/** Counts the leads that are newer than the backup, and those that no owner got an email about. */
const countNewer = (current: Sqlite.Database, newestLeadAt: string | null) =>
  tryToGet<{ leads: number; unnotified: number }>(
    current,
    `select count(*) as leads, coalesce(sum(not exists (select 1 from outbox
        where lead_id = leads.id and kind = 'owner_notice' and state in ('sent', 'listed'))), 0) as unnotified
     from leads where created_at > ?`,
    newestLeadAt ?? '',
  )

/**
 * Gives the current database a second name, under which it stays when the new one takes its place.
 */
function keepCurrent(dataDir: string, now: Date, onKeep: Restore['onKeep']): string | undefined {
  const live = join(dataDir, 'leads.db')
  const aside = join(dataDir, `leads-before-restore-${now.toISOString().replaceAll(/[:.]/g, '-')}.db`)
  const isThere = existsSync(live)
  if (isThere) {
    onKeep(aside)
    try {
      linkSync(live, aside)
    } catch {
      // This disk has no hard links.
      copyFileSync(live, aside, constants.COPYFILE_EXCL)
      syncFile(aside)
    }
  }
  // Only a damaged or deleted database still has logs. SQLite would replay them into the new one.
  for (const suffix of ['-wal', '-journal'])
    if (existsSync(`${live}${suffix}`)) renameSync(`${live}${suffix}`, `${aside}${suffix}`)
  rmSync(`${live}-shm`, { force: true })
  syncFolder(dataDir)
  return isThere ? aside : undefined
}

/**
 * Refuses a file that the restore itself would move or overwrite, including a link to such a file.
 */
function assertNotOwnFile(dataDir: string, file: string) {
  const identity = identityOf(file)
  const names = readdirSync(dataDir).filter((name) => ownFiles.test(name))
  if (names.some((name) => identityOf(join(dataDir, name)) === identity))
    throw new UnusableDatabase('It belongs to the current database. Choose a backup.')
}
