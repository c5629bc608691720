import { chmodSync, chownSync, existsSync, renameSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { readContents, removeDatabase, verifyCopy } from '../backup/copy-database.ts'
import { identityOf } from '../database/identity-of.ts'
import { openAlone } from '../database/open-alone.ts'
import { syncFolder } from '../files/sync.ts'
import { type DataFolders, scanFiles } from './files-holding.ts'
import type { ScannedFile } from './scan-files.ts'

// Not copies: the live database is erased by SQL, and the lock file has no data.
const live = ['leads.db', 'server.lock']
// An interrupted erase leaves such a file; the next one deletes it first.
const UNFINISHED = '.erasing.part'

type Person = {
  address: string
  /** Ids of leads from that address to keep; called after the scan. */
  keptIds: () => Promise<string[]>
}

/** Erases a person's leads from every other database in the data folders, so that restoring a backup can't bring them back. */
export async function eraseFromCopies(folders: DataFolders, { address, keptIds }: Person) {
  const result = { erasedFrom: [] as string[], unusable: [] as string[] }
  const { files } = await scanFiles(folders, address)
  const kept = await keptIds()
  for (const { file, name } of copiesAmong(folders.dataDir, files)) {
    const traces = [file, `${file}-wal`, `${file}-journal`]
    const hasTraces = files.some((found) => found.holdsText && traces.includes(found.file))
    try {
      if (eraseFromCopy(file, address, kept, hasTraces)) result.erasedFrom.push(name)
    } catch {
      result.unusable.push(name)
    }
  }
  return result
}

/** Compares device and inode, not names: the live database may have a second name. */
function copiesAmong(dataDir: string, files: ScannedFile[]): ScannedFile[] {
  const liveFiles = live
    .map((name) => join(dataDir, name))
    .filter(existsSync)
    .map(identityOf)
  return files.filter(
    ({ isDatabase, identity, name }) =>
      isDatabase && !liveFiles.includes(identity) && !name.endsWith(UNFINISHED),
  )
}

/** Keeps the file locked until it is replaced, so that two concurrent erasures can't undo each other. */
function eraseFromCopy(path: string, address: string, kept: string[], hasTraces: boolean): boolean {
  const before = statSync(path)
  const original = openAlone(path)
  try {
    const ids = original
      .prepare('select id from leads where lower(email) = ? and id not in (select value from json_each(?))')
      .pluck()
      .all(address.toLowerCase(), JSON.stringify(kept))
    if (ids.length === 0 && !hasTraces) return false
    const erased = `${path}${UNFINISHED}`
    try {
      writeWithout(ids, original, erased)
      // The file's time is the backup's age.
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

/** Writes a copy of the database without these leads and without remains of them in its pages. */
function writeWithout(ids: unknown[], original: Sqlite.Database, path: string) {
  removeDatabase(path)
  original.prepare('vacuum into ?').run(path)
  const copy = new Sqlite(path)
  try {
    copy.pragma('foreign_keys = ON')
    copy.pragma('secure_delete = ON')
    copy.prepare('delete from leads where id in (select value from json_each(?))').run(JSON.stringify(ids))
    // Older versions have no search index.
    if (copy.prepare("select 1 from sqlite_schema where name = 'lead_words'").get()) {
      // Twice: the first may only finish a merge that had copied the words already.
      for (const _time of [1, 2]) copy.exec("insert into lead_words (lead_words) values ('optimize')")
    }
    const contents = readContents(copy)
    copy.exec('vacuum')
    verifyCopy(path, contents)
  } finally {
    copy.close()
  }
}
