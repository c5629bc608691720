import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../files/sync.ts'

// The marker of a committed restore is the new database itself. Its name says where the old one goes.
const markerPattern = /^leads\.db\.restoring-([\dTZ-]+)$/
const markerName = (stamp: string) => `leads.db.restoring-${stamp}`
const asideName = (stamp: string) => `leads-before-restore-${stamp}.db`
const suffixes = ['', '-wal', '-journal']

/** The new database before the restore is committed. */
export const preparedFile = (dataDir: string): string => join(dataDir, 'leads.db.restore.part')

/** File names for a restore that starts now: the marker, and where the old database goes. */
export function namesForRestore(dataDir: string, now: Date) {
  const second = `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const stamp = freeStamp(dataDir, second, suffixes)
  return { marker: join(dataDir, markerName(stamp)), aside: join(dataDir, asideName(stamp)) }
}

/**
 * Finishes a committed restore, one whose marker exists. Sets the old database aside with its logs, so that they are never
 * replayed into another database, then moves the new file into place. Safe to kill at any point and run again.
 * Returns the path of the old database if it set one aside.
 */
export function finishRestore(dataDir: string): string | undefined {
  // Left by a restore that was interrupted before it was committed.
  for (const suffix of [...suffixes, '-shm']) rmSync(`${preparedFile(dataDir)}${suffix}`, { force: true })
  const stamp = pendingStamp(dataDir)
  if (!stamp) return undefined
  const aside = join(dataDir, asideName(setAside(dataDir, stamp)))
  renameSync(join(dataDir, markerName(stamp)), join(dataDir, 'leads.db'))
  syncFolder(dataDir)
  return existsSync(aside) ? aside : undefined
}

/** Throws if a committed restore isn't finished: `leads.db` may still be the old database. */
export function assertNoRestorePending(dataDir: string) {
  if (isRestorePending(dataDir))
    throw new RestorePending('A restore was interrupted. Start the server to finish it.')
}

/** A restore was interrupted after it was committed. The message says what to do. */
export class RestorePending extends Error {
  override name = 'RestorePending'
}

/** Whether a restore was interrupted after it was committed. */
export const isRestorePending = (dataDir: string): boolean => pendingStamp(dataDir) !== undefined

const pendingStamp = (dataDir: string): string | undefined =>
  existsSync(dataDir)
    ? readdirSync(dataDir).flatMap((name) => markerPattern.exec(name)?.[1] ?? [])[0]
    : undefined

function setAside(dataDir: string, wanted: string): string {
  const live = join(dataDir, 'leads.db')
  const found = suffixes.filter((suffix) => existsSync(`${live}${suffix}`))
  // Another file may have taken the name since.
  const stamp = freeStamp(dataDir, wanted, found)
  for (const suffix of found) renameSync(`${live}${suffix}`, join(dataDir, `${asideName(stamp)}${suffix}`))
  rmSync(`${live}-shm`, { force: true })
  // Before the new file is renamed: a power cut must not leave it next to an old log.
  syncFolder(dataDir)
  return stamp
}

function freeStamp(dataDir: string, wanted: string, needed: string[]): string {
  const isTaken = (stamp: string) =>
    needed.some((suffix) => existsSync(join(dataDir, `${asideName(stamp)}${suffix}`)))
  let stamp = wanted
  for (let number = 2; isTaken(stamp); number++) stamp = `${wanted}-${number}`
  return stamp
}
