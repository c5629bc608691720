import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { OperatorError } from '../errors/error-facts.ts'
import { schemaAge } from './sqlite.ts'

type Contents = { leads: number; waitingEmails: number; newestLeadAt: string | null }

/**
 * Copies a snapshot of a database into a new file, even while the database is in use. Verifies the
 * file. Throws `UnusableDatabase` if the source is damaged.
 */
export async function copyDatabase(from: string, to: string): Promise<Contents> {
  removeDatabase(to)
  // SQLite needs write access to roll back an interrupted transaction from its journal.
  const source = new Sqlite(from, { readonly: !existsSync(`${from}-journal`), fileMustExist: true })
  try {
    // Without a read transaction, SQLite would restart the copy each time the server commits.
    source.exec('begin')
    if (schemaAge(source) === 'foreign')
      throw new UnusableDatabase('It belongs to a newer version of this program, or to another program.')
    const contents = readContents(source)
    await source.backup(to)
    if (JSON.stringify(checkCopy(to)) !== JSON.stringify(contents))
      throw new UnusableDatabase('The copy does not match the original.')
    return contents
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT|ERROR)/.test(error.code))
      throw new UnusableDatabase(error.message)
    throw error
  } finally {
    source.close()
  }
}

/** Merges a copy's log into it, and checks every page. Returns its contents. */
export function checkCopy(path: string): Contents {
  const copy = new Sqlite(path)
  try {
    // Without a write-ahead log, the file opens anywhere, even on a read-only disk.
    copy.pragma('journal_mode = DELETE')
    const check = copy.pragma('integrity_check(1)', { simple: true })
    if (check !== 'ok') throw new UnusableDatabase(`The database is damaged: ${check}`)
    return readContents(copy)
  } finally {
    copy.close()
  }
}

export const readContents = (sqlite: Sqlite.Database) =>
  sqlite
    .prepare(
      `select (select count(*) from leads) as leads,
        (select created_at from leads order by id desc limit 1) as newestLeadAt,
        (select count(*) from outbox where state in ('queued', 'sending')) as waitingEmails`,
    )
    .get() as Contents

/** Where a restore prepares the new database. */
export const preparedFile = (dataDir: string): string => join(dataDir, 'leads.db.restore.part')

/** Deletes a database file and its logs. */
export function removeDatabase(path: string) {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true })
}

/** The file is damaged, or isn't a database of this program. */
export class UnusableDatabase extends OperatorError {
  override name = 'UnusableDatabase'
}
