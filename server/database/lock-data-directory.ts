import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { giveToOwnerOf, makeFolder } from '../files/give-to-owner.ts'
import { isBusy } from './storage-error.ts'

// `isServerRunning` briefly holds the lock. A server that starts at that moment must wait, not fail.
const LOCK_TIMEOUT_MS = 250
// The first try creates the file, and the second locks it. More are needed only if the file is deleted in between.
const MAX_TRIES = 5

const lockFile = (dataDir: string) => join(dataDir, 'server.lock')

/**
 * Makes this process the only server on the data directory until `release`. A crash releases the lock, because it's an OS
 * lock on an SQLite file. If the file is deleted, the lock has no effect until `renew` locks a new file. This function and
 * `renew` throw `DataDirectoryInUse` if another server has the lock.
 */
export function lockDataDirectory(dataDir: string) {
  makeFolder(dataDir)
  let held = acquire(dataDir)
  return {
    renew() {
      if (identityIfAny(lockFile(dataDir)) === held.identity) return
      const lost = held
      held = acquire(dataDir)
      lost.close()
    },
    release: () => held.close(),
  }
}

/** Identifies the file at this path by its device and inode, which stay the same if the file is renamed. */
export function identityOf(path: string): string {
  const { dev, ino } = statSync(path, { bigint: true })
  return `${dev}:${ino}`
}

type HeldLock = { identity: string; close: () => void }

const identityIfAny = (path: string) => (existsSync(path) ? identityOf(path) : undefined)

function acquire(dataDir: string): HeldLock {
  const path = lockFile(dataDir)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = identityIfAny(path)
    const close = lock(path)
    if (!close) break
    // If the file was created, deleted or replaced since `before` was read, we may have locked another file than the one at
    // `path` now.
    if (before && before === identityIfAny(path)) return { identity: before, close }
    close()
  }
  throw new DataDirectoryInUse(`Another server is already using the data directory ${dataDir}`)
}

/** Locks the file, and creates it if needed. Returns a function that unlocks it, or undefined if a server has locked it. */
function lock(path: string): (() => void) | undefined {
  const sqlite = new Sqlite(path, { timeout: LOCK_TIMEOUT_MS })
  try {
    giveToOwnerOf(dirname(path), path)
    // This takes a write lock, which another user's read lock on the file can't block.
    sqlite.exec('BEGIN IMMEDIATE')
    return () => sqlite.close()
  } catch (error) {
    sqlite.close()
    if (isBusy(error)) return undefined
    if (error instanceof Sqlite.SqliteError && /^SQLITE_(NOTADB|CORRUPT)/.test(error.code))
      throw new BrokenLock(`${path} is damaged. It contains no data: delete it, then start again.`)
    throw error
  }
}

/** Whether a server has locked the data directory. Briefly takes the lock to find out. */
export function isServerRunning(dataDir: string): boolean {
  const path = lockFile(dataDir)
  if (!existsSync(path)) return false
  const close = lock(path)
  close?.()
  return !close
}

/** Another server has locked the data directory. */
export class DataDirectoryInUse extends Error {
  override name = 'DataDirectoryInUse'
}

/** The lock file is damaged. */
export class BrokenLock extends Error {
  override name = 'BrokenLock'
}
