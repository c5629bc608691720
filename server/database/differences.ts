import * as postgres from './postgres.ts'
import type { Database } from './schema.ts'
import { isShared } from './shared-database.ts'
import * as sqlite from './sqlite.ts'

const of = (db: Database) => (isShared(db) ? postgres : sqlite)

/** How much the disk of the database can still store; null if that is unknown. */
export const freeBytes = (db: Database, dataDir: string): Promise<number | null> =>
  of(db).freeBytes(db, dataDir)

/** Removes what deleted rows leave behind in the database. May block it for seconds. */
export const rewriteDatabase = (db: Database): Promise<void> => of(db).rewriteDatabase(db)

/**
 * Empties the write-ahead log, which still contains deleted rows. Returns false if readers
 * prevented it.
 */
export const truncateWal = (db: Database): Promise<boolean> => of(db).truncateWal(db)

/** How far the clock of this machine is behind the one that all replicas follow. */
export const clockOffsetMs = (db: Database): Promise<number> => of(db).clockOffsetMs(db)

/**
 * Prepares the target of a copy for new rows. Call it after the last copied row, in the same
 * transaction.
 */
export const finishCopy = (transaction: Database): Promise<void> => of(transaction).finishCopy(transaction)

/**
 * Runs a job, unless another replica is running the job with this name. `lost` aborts when another
 * replica may run it, too.
 */
export const runAlone = (
  db: Database,
  name: string,
  work: (lost: AbortSignal) => Promise<unknown>,
): Promise<unknown> => of(db).runAlone(db, name, work)
