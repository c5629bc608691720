import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { giveToOwnerOf, makeFolder } from '../files/give-to-owner.ts'
import { identityOf } from './identity-of.ts'
import { isBusy } from './open-exclusively.ts'

// `isServerRunning` takes the lock for a moment. That must not stop a server from starting.
const LOCK_TIMEOUT_MS = 250
// One try creates the file, the next locks it. More are needed only if somebody deletes it right then.
const MAX_TRIES = 5

const lockFile = (dataDir: string) => join(dataDir, 'server.lock')

/**
 * Makes this process the only server on the data directory until `release`. It's an OS lock on an SQLite file, so even a
 * crash releases it. Once the file is deleted it locks nobody out; `renew` notices and locks a new one. Both throw
 * `DataDirectoryInUse` if another server has the lock.
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

const identityIfAny = (path: string) => (existsSync(path) ? identityOf(path) : undefined)

function takeLock(dataDir: string): Held {
  const path = lockFile(dataDir)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = identityIfAny(path)
    const close = lock(path)
    if (!close) break
    // If the path was deleted, created or replaced meanwhile, we may have locked another file.
    if (before && before === identityIfAny(path)) return { identity: before, close }
    close()
  }
  throw new DataDirectoryInUse(`Another server is already using the data directory ${dataDir}`)
}

/** Creates the file if needed. Returns a function that unlocks it; undefined if a server has the lock. */
function lock(path: string): (() => void) | undefined {
  const sqlite = new Sqlite(path, { timeout: LOCK_TIMEOUT_MS })
  try {
    giveToOwnerOf(dirname(path), path)
    // The write lock: other users can take read locks as long as they like, but those don't conflict with it.
    sqlite.exec('BEGIN IMMEDIATE')
    return () => sqlite.close()
  } catch (error) {
    sqlite.close()
    if (isBusy(error)) return undefined
    throw toBrokenLock(error, path)
  }
}

/** Whether a server has the data directory locked. The only way to find out is to take the lock for a moment. */
export function isServerRunning(dataDir: string): boolean {
  const path = lockFile(dataDir)
  if (!existsSync(path)) return false
  const close = lock(path)
  close?.()
  return !close
}

const toBrokenLock = (error: unknown, path: string) =>
  error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code)
    ? new BrokenLock(`${path} is damaged. It contains no data: delete it, then start again.`)
    : error

/** Another server has the lock. The message says where. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse'
}

/** The lock file is damaged. The message says what to do. */
export class BrokenLock extends Error {
  override name = 'BrokenLock'
}
