import { chmodSync, chownSync, existsSync, renameSync, statSync, utimesSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { readContents, removeDatabase, verifyCopy } from '../backup/copy-database.ts'
import { identityOf } from '../database/identity-of.ts'
import { openAlone } from '../database/open-alone.ts'
import { syncFolder } from '../files/sync.ts'
import { type DataFolders, scanFiles } from './files-holding.ts'
import type { ScannedFile } from './scan-files.ts'

// These are no backups: the first is erased from as it is served, the second holds nothing.
const live = ['leads.db', 'server.lock']
// What an interrupted erase leaves; the next one on the same file begins with its removal.
const UNFINISHED = '.erasing.part'

type Erasure = {
  address: string
  /** The leads from that address that stay, asked when it is known which files there are. */
  keptIds: () => Promise<string[]>
}

/**
 * Erases a person's leads from every other database in the data folders, backups above all: a backup that is
 * restored must not bring back who asked to be forgotten.
 */
export async function eraseFromCopies(folders: DataFolders, { address, keptIds }: Erasure) {
  const result = { erasedFrom: [] as string[], unusable: [] as string[] }
  const { files } = await scanFiles(folders, address)
  const kept = await keptIds()
  for (const { file, name } of databasesBeside(folders.dataDir, files)) {
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

/** By identity, not by name: a file that is the live one under another name is served as well. */
function databasesBeside(dataDir: string, files: ScannedFile[]): ScannedFile[] {
  const served = live
    .map((name) => join(dataDir, name))
    .filter(existsSync)
    .map(identityOf)
  return files.filter(
    ({ isDatabase, identity, name }) =>
      isDatabase && !served.includes(identity) && !name.endsWith(UNFINISHED),
  )
}

/** Held alone from first to last: of two that erase from the same file at once, neither may undo the other. */
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
      // A backup is as old as what is in it.
      utimesSync(erased, before.atime, before.mtime)
      chmodSync(erased, before.mode)
      chownSync(erased, before.uid, before.gid)
      // Windows replaces no open file.
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

/** Writes a copy of the database without these leads, and without what their deletion leaves in its pages. */
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
