import { chmodSync, chownSync, existsSync, renameSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { readContents, removeDatabase, verifyCopy } from '../backup/copy-database.ts'
import { openExclusively } from '../database/sqlite.ts'
import { identityOf } from '../files/identity-of.ts'
import { syncFolder } from '../files/sync.ts'
import { type DataFolders, scanFiles } from './files-containing.ts'
import type { ScannedFile } from './scan-files.ts'

// Databases that aren't copies: `erasePerson` erases the leads in the live one, and the lock file contains no leads.
const liveFileNames = ['leads.db', 'server.lock']
// An interrupted erase leaves a file with this suffix; the next erase deletes it.
const UNFINISHED = '.erasing.part'

type Person = {
  address: string
  /** The person's leads in the live database. In a copy, they may have another address: owners can correct it. */
  ids: readonly string[]
  /**
   * Returns the ids of the person's leads that stay because they arrived after the confirmation. Called after the scan, so
   * that it knows every lead in the backups that the scan found.
   */
  keptIds: () => Promise<string[]>
}

/**
 * Erases a person's leads from every database in the data folders except the live one, so that restoring a backup can't
 * bring them back.
 */
export async function eraseFromCopies(folders: DataFolders, { keptIds, ...person }: Person) {
  const result = { erasedFrom: [] as string[], unusable: [] as string[] }
  const { files } = await scanFiles(folders, person.address)
  const kept = await keptIds()
  for (const { file, name } of copiesAmong(folders.dataDir, files)) {
    const traces = [file, `${file}-wal`, `${file}-journal`]
    const hasTraces = files.some((found) => found.containsText && traces.includes(found.file))
    try {
      if (eraseFromCopy(file, person, kept, hasTraces)) result.erasedFrom.push(name)
    } catch {
      result.unusable.push(name)
    }
  }
  return result
}

/** All databases except the live one, which is recognized by device and inode because it may have a second name. */
function copiesAmong(dataDir: string, files: ScannedFile[]): ScannedFile[] {
  const liveFiles = liveFileNames
    .map((name) => join(dataDir, name))
    .filter(existsSync)
    .map(identityOf)
  return files.filter(
    ({ isDatabase, identity, name }) =>
      isDatabase && !liveFiles.includes(identity) && !name.endsWith(UNFINISHED),
  )
}

/**
 * Erases a person's leads from one copy. Returns false if it had none. Keeps the file locked until it is replaced, so that
 * two concurrent erasures can't undo each other.
 */
function eraseFromCopy(
  path: string,
  { address, ids: known }: Omit<Person, 'keptIds'>,
  kept: string[],
  hasTraces: boolean,
): boolean {
  const before = statSync(path)
  const original = openExclusively(path)
  try {
    const ids = original
      .prepare(
        `select id from leads where (lower(email) = ? or id in (select value from json_each(?)))
         and id not in (select value from json_each(?))`,
      )
      .pluck()
      .all(address.toLowerCase(), JSON.stringify(known), JSON.stringify(kept))
    if (ids.length === 0 && !hasTraces) return false
    const erased = `${path}${UNFINISHED}`
    try {
      writeWithout(ids, original, erased)
      // Tools that delete old files must still see how old the backup is.
      utimesSync(erased, before.atime, before.mtime)
      chmodSync(erased, before.mode)
      chownSync(erased, before.uid, before.gid)
      // Windows can't replace an open file.
      if (process.platform === 'win32') original.close()
      renameSync(erased, path)
      syncFolder(dirname(path))
    } finally {
      removeDatabase(erased)
    }
    return ids.length > 0
  } finally {
    original.close()
  }
}

/** Writes the database without these leads to a new file, which contains no traces of them. */
function writeWithout(ids: unknown[], original: Sqlite.Database, path: string) {
  removeDatabase(path)
  original.prepare('vacuum into ?').run(path)
  const copy = new Sqlite(path)
  try {
    copy.pragma('foreign_keys = ON')
    copy.pragma('secure_delete = ON')
    copy.prepare('delete from leads where id in (select value from json_each(?))').run(JSON.stringify(ids))
    const contents = readContents(copy)
    copy.exec('vacuum')
    verifyCopy(path, contents)
  } finally {
    copy.close()
  }
}
