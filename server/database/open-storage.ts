import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assertNoRestorePending, finishRestore } from './finish-restore.ts'
import { DataDirectoryInUse, lockDataDirectory } from './lock-data-directory.ts'
import type { OnProgress } from './migrate.ts'
import { joinDatabase, openDatabase } from './open-database.ts'
import type { Database } from './schema.ts'

/** Where the data is: in PostgreSQL if `DATABASE_URL` is set, otherwise in an SQLite file in `DATA_DIR`. */
export type StorageSettings = { DATA_DIR: string; DATABASE_URL?: string | undefined }

export type Storage = {
  db: Database
  /** The clock for leases, limits and retention. */
  now: () => Date
  /** The path of the old database, if opening finished an interrupted restore. */
  keptByRestore?: string | undefined
  /**
   * Call it every minute: it keeps other servers out even if somebody deletes the lock file. Reports
   * `DataDirectoryInUse` if another server already has the lock.
   */
  renewLock?: () => void
  close: () => Promise<void>
}

// With SQLite, don't load the PostgreSQL code.
const postgres = () => import('./postgres/open-postgres.ts')

/**
 * Opens the storage for the server, and creates or migrates it if needed. After `onFailure` the server must stop: the disk
 * is failing (see `openDatabase`), or another server uses the same files. `onProgress`: of a long migration.
 */
export async function openStorage(
  settings: StorageSettings,
  onFailure: (error: Error) => void,
  onProgress?: OnProgress,
): Promise<Storage> {
  if (settings.DATABASE_URL) return (await postgres()).openPostgres(settings.DATABASE_URL, onProgress)
  const lock = lockDataDirectory(settings.DATA_DIR)
  const keptByRestore = finishRestore(settings.DATA_DIR)
  const db = await openDatabase(settings.DATA_DIR, onFailure, onProgress)
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

/** Opens the storage next to a running server; undefined if it doesn't exist yet. Throws `OtherVersion`. */
export async function joinStorage(settings: StorageSettings): Promise<Storage | undefined> {
  if (settings.DATABASE_URL) return (await postgres()).joinPostgres(settings.DATABASE_URL)
  assertNoRestorePending(settings.DATA_DIR)
  if (!existsSync(join(settings.DATA_DIR, 'leads.db'))) return undefined
  const db = joinDatabase(settings.DATA_DIR)
  return { db, now: () => new Date(), close: () => db.destroy() }
}
