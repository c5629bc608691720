import { statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { OperatorError } from '../errors/error-facts.ts'
import { giveToOwnerOf, makeFolder } from '../files/private-files.ts'
import { isBusy } from './storage-error.ts'

// `isServerRunning` briefly holds the lock. A server that starts at that moment must wait, not
// fail.
const LOCK_TIMEOUT_MS = 250

const lockFile = (dataDir: string) => join(dataDir, 'server.lock')

/**
 * Makes this process the only server on the data directory until the returned function is called. A
 * crash releases the lock, because it's an OS lock on an SQLite file. Throws if another server has
 * the lock.
 */
export function lockDataDirectory(dataDir: string): () => void {
  makeFolder(dataDir)
  const release = lock(lockFile(dataDir))
  if (release) return release
  throw new OperatorError(
    `A server is already using the data directory ${dataDir}. Stop it first, and don't delete server.lock: it keeps two servers apart.`,
  )
}

/**
 * Locks the file, and creates it if needed. Returns a function that unlocks it, or undefined if a
 * server has locked it.
 */
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
    throw error
  }
}

/** Whether a server has locked the data directory. Briefly takes the lock to find out. */
export function isServerRunning(dataDir: string): boolean {
  const path = lockFile(dataDir)
  if (!statSync(path, { throwIfNoEntry: false })) return false
  const release = lock(path)
  release?.()
  return !release
}
