import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assertNoRestorePending, finishRestore } from '../backup/finish-restore.ts'
import { DataDirectoryInUse, lockDataDirectory } from './lock-data-directory.ts'
import { openExistingPostgres, openPostgres } from './postgres.ts'
import type { Database } from './schema.ts'
import { openDatabase, openExistingDatabase } from './sqlite.ts'

/** The data is in PostgreSQL if `DATABASE_URL` is set, otherwise in an SQLite file in `DATA_DIR`. */
export type StorageSettings = { DATA_DIR: string; DATABASE_URL?: string | undefined }

export type Storage = {
  db: Database
  /** The current time. On PostgreSQL, it follows the database's clock, so that all replicas agree. */
  now: () => Date
  /** The path at which the replaced database is kept, if opening the storage finished an interrupted restore. */
  keptByRestore?: string | undefined
  /** Call this every minute: if the lock file was deleted, it locks a new one. */
  renewLock?: () => void
  close: () => Promise<void>
}

/**
 * Opens the storage for the server; creates or migrates it if needed. Calls `onFailure` if the disk is failing or another
 * server uses the same files: the server must then stop.
 */
export async function openStorage(
  settings: StorageSettings,
  onFailure: (error: Error) => void,
): Promise<Storage> {
  if (settings.DATABASE_URL) return openPostgres(settings.DATABASE_URL)
  const lock = lockDataDirectory(settings.DATA_DIR)
  const keptByRestore = finishRestore(settings.DATA_DIR)
  const db = await openDatabase(settings.DATA_DIR, onFailure)
  return {
    db,
    keptByRestore,
    now: () => new Date(),
    renewLock() {
      try {
        lock.renew()
      } catch (error) {
        if (!(error instanceof DataDirectoryInUse)) throw error
        onFailure(error)
      }
    },
    async close() {
      await db.destroy()
      lock.release()
    },
  }
}

/** Opens the storage for a command, even while the server runs. Returns undefined if `leads.db` doesn't exist. */
export async function openExistingStorage(settings: StorageSettings): Promise<Storage | undefined> {
  if (settings.DATABASE_URL) return openExistingPostgres(settings.DATABASE_URL)
  assertNoRestorePending(settings.DATA_DIR)
  if (!existsSync(join(settings.DATA_DIR, 'leads.db'))) return undefined
  const db = openExistingDatabase(settings.DATA_DIR)
  return { db, now: () => new Date(), close: () => db.destroy() }
}
