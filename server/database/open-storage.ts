import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assertNoRestorePending, finishRestore } from './finish-restore.ts'
import { DataDirectoryInUse, lockDataDirectory } from './lock-data-directory.ts'
import { joinDatabase, openDatabase } from './open-database.ts'
import type { Database } from './schema.ts'

/** Where everything is kept: a folder with an SQLite file, or else a PostgreSQL server. */
export type Place = { DATA_DIR: string; DATABASE_URL?: string | undefined }

export type Storage = {
  db: Database
  /** The time that leases, limits and retention go by. */
  now: () => Date
  /** Where the earlier leads are, if an interrupted restore was finished first. */
  keptByRestore?: string | undefined
  /**
   * To be called every minute: keeps other servers out even after somebody deleted the file of the lock. Reports
   * `DataDirectoryInUse` where one has come in already.
   */
  renewLock?: () => void
  close: () => Promise<void>
}

// Whoever uses SQLite loads nothing of PostgreSQL.
const postgres = () => import('./postgres/open-postgres.ts')

/**
 * Opens it for the server, creates it or brings it to the newest shape. `onFailure` hears of what the server must not
 * go on with: a failing disk (see `openDatabase`), or another server on the same files.
 */
export async function openStorage(place: Place, onFailure: (error: Error) => void): Promise<Storage> {
  if (place.DATABASE_URL) return (await postgres()).openPostgres(place.DATABASE_URL)
  const lock = lockDataDirectory(place.DATA_DIR)
  const keptByRestore = finishRestore(place.DATA_DIR)
  const db = await openDatabase(place.DATA_DIR, onFailure)
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
      // Closing the last connection also moves the write-ahead log into the database file.
      await db.destroy()
      lock.release()
    },
  }
}

/** Opens it beside the server; undefined where there is none yet. Throws for one of another version. */
export async function joinStorage(place: Place): Promise<Storage | undefined> {
  if (place.DATABASE_URL) return (await postgres()).joinPostgres(place.DATABASE_URL)
  assertNoRestorePending(place.DATA_DIR)
  if (!existsSync(join(place.DATA_DIR, 'leads.db'))) return undefined
  const db = joinDatabase(place.DATA_DIR)
  return { db, now: () => new Date(), close: () => db.destroy() }
}
