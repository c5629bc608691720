import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assertNoRestorePending, finishRestore } from '../backup/finish-restore.ts'
import { lockDataDirectory } from './lock-data-directory.ts'
import { openExistingPostgres, openPostgres } from './postgres.ts'
import type { Database } from './schema.ts'
import { type OnDiskFailure, openDatabase, openExistingDatabase } from './sqlite.ts'

/** The data is in PostgreSQL if `DATABASE_URL` is set, otherwise in an SQLite file in `DATA_DIR`. */
export type StorageSettings = { DATA_DIR: string; DATABASE_URL?: string | undefined }

/**
 * Opens the storage for the server; creates or migrates it if needed. Calls `onDiskFailure` if the disk is failing: the
 * server must then stop. If this finished an interrupted restore, `keptByRestore` is the path of the replaced database.
 */
export async function openStorage(settings: StorageSettings, onDiskFailure: OnDiskFailure) {
  if (settings.DATABASE_URL) {
    const db = await openPostgres(settings.DATABASE_URL)
    return { db, keptByRestore: undefined, close: () => db.destroy() }
  }
  const unlock = lockDataDirectory(settings.DATA_DIR)
  const keptByRestore = finishRestore(settings.DATA_DIR)
  const db = await openDatabase(settings.DATA_DIR, onDiskFailure)
  return { db, keptByRestore, close: () => db.destroy().finally(unlock) }
}

/** Opens the storage for a command, even while the server runs. Returns undefined if `leads.db` doesn't exist. */
export async function openExistingStorage(settings: StorageSettings): Promise<Database | undefined> {
  if (settings.DATABASE_URL) return openExistingPostgres(settings.DATABASE_URL)
  assertNoRestorePending(settings.DATA_DIR)
  return existsSync(join(settings.DATA_DIR, 'leads.db')) ? openExistingDatabase(settings.DATA_DIR) : undefined
}
