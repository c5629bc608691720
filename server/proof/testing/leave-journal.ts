import { cpSync, renameSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

/** Leaves a database with an unfinished change and its rollback journal, as if a program had been killed. */
export function leaveJournal(file: string) {
  const sqlite = new Sqlite(file)
  sqlite.pragma('journal_mode = DELETE')
  sqlite.pragma('cache_size = 1')
  sqlite.exec("begin; update leads set message = 'half'; update leads set email = hex(zeroblob(20000))")
  const suffixes = ['', '-journal']
  for (const suffix of suffixes) cpSync(`${file}${suffix}`, `${file}.hot${suffix}`)
  sqlite.close()
  for (const suffix of suffixes) renameSync(`${file}.hot${suffix}`, `${file}${suffix}`)
}
