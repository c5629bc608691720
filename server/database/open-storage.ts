import { statSync } from 'node:fs'
import { join } from 'node:path'
import { preparedFile, removeDatabase } from './copy-database.ts'
import { lockDataDirectory } from './lock-data-directory.ts'
import { openExistingPostgres, openPostgres } from './postgres.ts'
import type { Database } from './schema.ts'
import { type OnDiskFailure, openDatabase, openExistingDatabase } from './sqlite.ts'

/**
 * The data is in PostgreSQL if `DATABASE_URL` is set, otherwise in an SQLite file in `DATA_DIR`.
 */
export type StorageSettings = { DATA_DIR: string; DATABASE_URL?: string | undefined }

/**
 * Opens the storage for the server; creates or migrates it if needed. Calls `onDiskFailure` if the
 * disk is failing: the server must then stop.
 */
export async function openStorage(settings: StorageSettings, onDiskFailure: OnDiskFailure) {
  if (settings.DATABASE_URL) {
    const db = await openPostgres(settings.DATABASE_URL)
    return { db, close: () => db.destroy() }
  }
  const unlock = lockDataDirectory(settings.DATA_DIR)
  // An interrupted restore leaves it behind.
  removeDatabase(preparedFile(settings.DATA_DIR))
  const db = await openDatabase(settings.DATA_DIR, onDiskFailure)
  return { db, close: () => db.destroy().finally(unlock) }
}

/**
 * Opens the storage for a command, even while the server runs. Returns undefined if `leads.db`
 * doesn't exist.
 */
export async function openExistingStorage(settings: StorageSettings): Promise<Database | undefined> {
  if (settings.DATABASE_URL) return openExistingPostgres(settings.DATABASE_URL)
  // Unlike `existsSync`, this throws if the folder is unreadable.
  const file = statSync(join(settings.DATA_DIR, 'leads.db'), { throwIfNoEntry: false })
  return file && openExistingDatabase(settings.DATA_DIR)
}
