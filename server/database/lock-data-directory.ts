import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/**
 * Makes this process the only server on the data directory and returns how to let go. The lock is the operating
 * system's own on an SQLite file, so it ends with the process, however that ends.
 */
export function lockDataDirectory(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const lock = new Sqlite(join(dataDir, 'server.lock'), { timeout: 0 })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY')
      throw new DataDirectoryInUse(`Another server is already using the data directory ${dataDir}`)
    throw error
  }
  return () => lock.close()
}

export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse'
}
