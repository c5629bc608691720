import Sqlite from 'better-sqlite3'

/**
 * Returns the references of the leads in a database file, and the result of SQLite's integrity
 * check.
 */
export function readDatabase(file: string, { readonly = false } = {}) {
  const sqlite = new Sqlite(file, { fileMustExist: true, readonly, timeout: 5000 })
  try {
    const integrity = String(sqlite.pragma('integrity_check(1)', { simple: true }))
    const references = sqlite.prepare<[], string>('select reference from leads').pluck().all()
    return { integrity, references: new Set(references) }
  } catch (error) {
    return { integrity: String(error), references: new Set<string>() }
  } finally {
    sqlite.close()
  }
}
