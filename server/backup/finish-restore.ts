import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../error-facts.ts'
import { syncFolder } from '../files/sync.ts'

// Renaming the prepared database to a name of this form commits a restore. The timestamp is also in the old database's new
// name.
const markerPattern = /^leads\.db\.restoring-([\dTZ-]+)$/
const markerName = (stamp: string) => `leads.db.restoring-${stamp}`
const asideName = (stamp: string) => `leads-before-restore-${stamp}.db`
const suffixes = ['', '-wal', '-journal']

/** Where a restore prepares the new database. */
export const preparedFile = (dataDir: string): string => join(dataDir, 'leads.db.restore.part')

/** Renaming the prepared database to `marker` commits the restore. `aside` is the new path of the old database. */
export function namesForRestore(dataDir: string, now: Date) {
  const second = `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const stamp = freeStamp(dataDir, second, suffixes)
  return { marker: join(dataDir, markerName(stamp)), aside: join(dataDir, asideName(stamp)) }
}

/**
 * Finishes a committed restore, if there is one: moves the old database away with its logs (SQLite must not replay them
 * into the new one), then moves the new database into place. Safe to interrupt and repeat. Returns the new path of the old
 * database.
 */
export function finishRestore(dataDir: string): string | undefined {
  // Delete what is left of a restore that was interrupted before its commit.
  for (const suffix of [...suffixes, '-shm']) rmSync(`${preparedFile(dataDir)}${suffix}`, { force: true })
  const stamp = pendingStamp(dataDir)
  if (!stamp) return undefined
  const aside = join(dataDir, asideName(moveAside(dataDir, stamp)))
  renameSync(join(dataDir, markerName(stamp)), join(dataDir, 'leads.db'))
  syncFolder(dataDir)
  return existsSync(aside) ? aside : undefined
}

/** Throws if a committed restore isn't finished: `leads.db` may still be the old database. */
export function assertNoRestorePending(dataDir: string) {
  if (isRestorePending(dataDir))
    throw new OperatorError('A restore was interrupted. Start the server to finish it.')
}

const isRestorePending = (dataDir: string): boolean => pendingStamp(dataDir) !== undefined

const pendingStamp = (dataDir: string): string | undefined =>
  existsSync(dataDir)
    ? readdirSync(dataDir).flatMap((name) => markerPattern.exec(name)?.[1] ?? [])[0]
    : undefined

function moveAside(dataDir: string, wanted: string): string {
  const live = join(dataDir, 'leads.db')
  const found = suffixes.filter((suffix) => existsSync(`${live}${suffix}`))
  // Another file may have taken this name since the restore began.
  const stamp = freeStamp(dataDir, wanted, found)
  for (const suffix of found) renameSync(`${live}${suffix}`, join(dataDir, `${asideName(stamp)}${suffix}`))
  rmSync(`${live}-shm`, { force: true })
  // Without this sync, a power failure could bring back the old write-ahead log, and SQLite would replay it into the new
  // database.
  syncFolder(dataDir)
  return stamp
}

function freeStamp(dataDir: string, wanted: string, suffixesNeeded: string[]): string {
  const isUsed = (stamp: string) =>
    suffixesNeeded.some((suffix) => existsSync(join(dataDir, `${asideName(stamp)}${suffix}`)))
  let stamp = wanted
  for (let number = 2; isUsed(stamp); number++) stamp = `${wanted}-${number}`
  return stamp
}
