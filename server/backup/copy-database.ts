import { existsSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { schemaAge } from '../database/schema-age.ts'
import { syncFile } from '../files/sync.ts'

export type Contents = { leads: number; waitingMails: number; newestLeadAt: string | null }
/** How much of the work is done, 0 to 1. */
export type OnProgress = (share: number) => void

type CopyOptions = {
  onProgress?: OnProgress | undefined
  /** Looks at the original before anything is read from it; a reason ends the copy. */
  whyUnusable?: (source: Sqlite.Database) => string | undefined
}

const PAGES_A_STEP = 1000

/**
 * Copies a database, in use or not, into a new file of its own, as it is at the moment of the call; opens the copy,
 * checks every page of it, and returns what it holds once that is on disk. Throws `UnusableDatabase` for a damaged one.
 */
export async function copyDatabase(from: string, to: string, options: CopyOptions = {}) {
  const { onProgress = () => {}, whyUnusable = () => undefined } = options
  removeDatabase(to)
  // Only who may write can play back the journal of an interrupted change.
  const source = new Sqlite(from, { readonly: !existsSync(`${from}-journal`), fileMustExist: true })
  try {
    // One reading transaction around it all: SQLite would otherwise begin anew at each commit of the server.
    source.exec('begin')
    const reason = whyUnusable(source)
    if (reason) throw new UnusableDatabase(reason)
    const contents = readContents(source)
    await source.backup(to, {
      progress({ totalPages, remainingPages }) {
        onProgress(1 - remainingPages / totalPages)
        return PAGES_A_STEP
      },
    })
    verifyCopy(to, contents)
    return { ...contents, schema: schemaAge(source) }
  } catch (error) {
    throw asUnusable(error)
  } finally {
    source.close()
  }
}

/** Makes one file of a new database, checks every page of it and what it holds, and waits until it is on disk. */
export function verifyCopy(path: string, expected: Contents) {
  const copy = new Sqlite(path)
  try {
    // One file that opens anywhere, also on a read-only disk, without a write-ahead log beside it.
    copy.pragma('journal_mode = DELETE')
    const check = copy.pragma('integrity_check(1)', { simple: true })
    if (check !== 'ok') throw new UnusableDatabase(String(check))
    if (JSON.stringify(readContents(copy)) !== JSON.stringify(expected))
      throw new UnusableDatabase('The copy does not hold what the original holds.')
  } finally {
    copy.close()
  }
  syncFile(path)
}

/** What a database holds, in numbers. */
export const readContents = (sqlite: Sqlite.Database) =>
  sqlite
    .prepare(
      `select (select count(*) from leads) as leads, (select max(created_at) from leads) as newestLeadAt,
        (select count(*) from outbox where state in ('queued', 'sending')) as waitingMails`,
    )
    .get() as Contents

/** Deletes a database file and what SQLite may have left beside it. */
export function removeDatabase(path: string) {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

function asUnusable(error: unknown) {
  const isAboutTheFile =
    error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(error.code)
  return isAboutTheFile ? new UnusableDatabase(error.message) : error
}

/** The file is damaged, or no database of this program. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase'
}
