import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { identityOf } from './identity-of.ts'
import { isBusy } from './open-alone.ts'

// A look at the lock (below) holds it for a moment; that must not keep a server from starting.
const PATIENCE_MS = 250

const lockFile = (dataDir: string) => join(dataDir, 'server.lock')

/**
 * Makes this process the only server on the data directory, until `release`. The lock is the operating system's own on
 * an SQLite file, so it ends with the process, however that ends. A deleted file locks nobody out any more: `renew`
 * notices that and locks the new one. Both throw `DataDirectoryInUse` where another server holds the lock.
 */
export function lockDataDirectory(dataDir: string) {
  mkdirSync(dataDir, { recursive: true })
  let held = takeLock(dataDir)
  return {
    renew() {
      const path = lockFile(dataDir)
      if (existsSync(path) && identityOf(path) === held.identity) return
      const lost = held
      held = takeLock(dataDir)
      lost.close()
    },
    release: () => held.close(),
  }
}

type Held = { identity: string; close: () => void }

function takeLock(dataDir: string): Held {
  const path = lockFile(dataDir)
  const held = lock(path) ?? lockAnew(path)
  if (held) return held
  throw new DataDirectoryInUse(`Another server is already using the data directory ${dataDir}`)
}

/** Undefined where somebody else holds the file. */
function lock(path: string): Held | undefined {
  const sqlite = new Sqlite(path, { timeout: PATIENCE_MS })
  try {
    sqlite.exec('BEGIN EXCLUSIVE')
    return { identity: identityOf(path), close: () => sqlite.close() }
  } catch (error) {
    sqlite.close()
    if (isBusy(error)) return undefined
    throw asBroken(error, path)
  }
}

/**
 * A server lets nobody read its lock. Who only reads it is none, and may be any user, for as long as they like: then a new
 * file takes its place. Undefined where a server holds the lock, or was faster.
 */
function lockAnew(path: string): Held | undefined {
  const before = identityOf(path)
  const reader = new Sqlite(path, { readonly: true, timeout: PATIENCE_MS })
  try {
    // As long as this reads as well, no server can take the old file.
    reader.exec('begin')
    reader.prepare('select 1 from sqlite_master').get()
    const held = lock(`${path}.new`)
    if (!held) return undefined
    if (identityOf(path) === before) {
      renameSync(`${path}.new`, path)
      return held
    }
    held.close()
    return undefined
  } catch (error) {
    if (isBusy(error)) return undefined
    throw asBroken(error, path)
  } finally {
    reader.close()
  }
}

/** Whether a server holds the data directory, asked without taking it. */
export function isServerRunning(dataDir: string): boolean {
  const path = lockFile(dataDir)
  if (!existsSync(path)) return false
  const lock = new Sqlite(path, { timeout: 0, readonly: true })
  try {
    lock.prepare('select 1 from sqlite_master').get()
    return false
  } catch (error) {
    if (isBusy(error)) return true
    throw asBroken(error, path)
  } finally {
    lock.close()
  }
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
