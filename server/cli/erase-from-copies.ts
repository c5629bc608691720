import { statSync, utimesSync } from 'node:fs'
import { sql } from 'kysely'
import { joinDatabaseFile } from '../database/open-database.ts'
import { emptyLog, rewriteDatabase } from '../database/rewrite-database.ts'
import { leadsFrom } from '../leads/erase-person.ts'
import { beginningOf } from '../mail/mail-copies.ts'
import { type DataFolders, isHeldBy, ownFiles } from './files-holding.ts'

const SQLITE_HEADER = 'SQLite format 3\0'
// These two are no copies: the first is erased from as it is served, the second holds nothing.
const live = ['leads.db', 'server.lock']

/**
 * Erases a person's leads from every other database in these folders, backups above all: a backup that is
 * restored must not bring back who asked to be forgotten. Their times stay, for a backup is as old as what is in it.
 */
export async function eraseFromCopies(folders: DataFolders, address: string) {
  const result = { erasedFrom: [] as string[], unusable: [] as string[] }
  for (const { file, name } of ownFiles(folders)) {
    if (live.includes(name) || !isDatabase(file)) continue
    try {
      if (await eraseFromCopy(file, address)) result.erasedFrom.push(name)
    } catch {
      result.unusable.push(name)
    }
  }
  return result
}

async function eraseFromCopy(file: string, address: string): Promise<boolean> {
  const { atime, mtime } = statSync(file)
  const db = joinDatabaseFile(file)
  try {
    const leads = await leadsFrom(db, address)
    if (leads.length === 0 && !(await isHeldBy(file, address))) return false
    await db.deleteFrom('leads').where(sql`lower(email)`, '=', address.toLowerCase()).execute()
    await rewriteDatabase(db)
    await emptyLog(db)
    return leads.length > 0
  } finally {
    await db.destroy()
    utimesSync(file, atime, mtime)
  }
}

const isDatabase = (file: string) =>
  beginningOf(file, SQLITE_HEADER.length).toString('latin1') === SQLITE_HEADER
