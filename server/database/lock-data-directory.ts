import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { giveToOwnerOf, makeFolder } from '../files/give-to-owner.ts'
import { identityOf } from './identity-of.ts'
import { isBusy } from './open-alone.ts'

// A look at the lock (below) holds it for a moment; that must not keep a server from starting.
const PATIENCE_MS = 250
// The first one makes the file; more only where somebody deletes it at that very moment.
const MOST_TRIES = 5

const lockFile = (dataDir: string) => join(dataDir, 'server.lock')

/**
 * Makes this process the only server on the data directory, until `release`. The lock is the operating system's own on
 * an SQLite file, so it ends with the process, however that ends. A deleted file locks nobody out any more: `renew`
 * notices that and locks the new one. Both throw `DataDirectoryInUse` where another server holds the lock.
 */
export function lockDataDirectory(dataDir: string) {
  makeFolder(dataDir)
  let held = takeLock(dataDir)
  return {
    renew() {
      if (identityIfAny(lockFile(dataDir)) === held.identity) return
      const lost = held
      held = takeLock(dataDir)
      lost.close()
    },
    release: () => held.close(),
  }
}

type Held = { identity: string; close: () => void }

/** Undefined where there is no such file. */
const identityIfAny = (path: string) => (existsSync(path) ? identityOf(path) : undefined)

function takeLock(dataDir: string): Held {
  const path = lockFile(dataDir)
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const before = identityIfAny(path)
    const close = lock(path)
    if (!close) break
    // A file that has lost its name meanwhile, or got it only now, may not be the one that is locked.
    if (before && before === identityIfAny(path)) return { identity: before, close }
    close()
  }
  throw new DataDirectoryInUse(`Another server is already using the data directory ${dataDir}`)
}

/** Makes the file where there is none, and returns what ends the lock; undefined where a server holds it. */
function lock(path: string): (() => void) | undefined {
  const sqlite = new Sqlite(path, { timeout: PATIENCE_MS })
  try {
    giveToOwnerOf(dirname(path), path)
    // The lock of the one writer. Who only reads, which may be any user and for as long as they like, cannot be in its way.
    sqlite.exec('BEGIN IMMEDIATE')
    return () => sqlite.close()
  } catch (error) {
    sqlite.close()
    if (isBusy(error)) return undefined
    throw asBroken(error, path)
  }
}

/** Whether a server holds the data directory. Asked by taking the lock for a moment: nobody sees it by reading. */
export function isServerRunning(dataDir: string): boolean {
  const path = lockFile(dataDir)
  if (!existsSync(path)) return false
  const close = lock(path)
  close?.()
  return !close
}

const asBroken = (error: unknown, path: string) =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)
    ? new BrokenLock(`${path} is damaged. It holds no data: delete it, then start again.`)
    : error

/** The message says by whom and where. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse'
}

/** The file of the lock is no longer one. The message says what to do. */
export class BrokenLock extends Error {
  override name = 'BrokenLock'
}
