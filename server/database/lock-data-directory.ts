import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

// A look at the lock (below) holds it for a moment; that must not keep a server from starting.
const PATIENCE_MS = 250

/**
 * Makes this process the only server on the data directory and returns how to let go. The lock is the operating
 * system's own on an SQLite file, so it ends with the process, however that ends.
 */
export function lockDataDirectory(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  const lock = new Sqlite(join(dataDir, 'server.lock'), { timeout: PATIENCE_MS })
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (isBusy(error))
      throw new DataDirectoryInUse(`Another server is already using the data directory ${dataDir}`)
    throw error
  }
  return () => lock.close()
}

/** Whether a server holds the data directory, asked without taking it. */
export function isServerRunning(dataDir: string): boolean {
  const path = join(dataDir, 'server.lock')
  if (!existsSync(path)) return false
  const lock = new Sqlite(path, { timeout: 0, readonly: true })
  try {
    lock.prepare('select 1 from sqlite_master').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw error
  } finally {
    lock.close()
  }
}

const isBusy = (error: unknown) => error instanceof Sqlite.SqliteError && error.code === 'SQLITE_BUSY'

export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse'
}
