import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '../files/sync.ts'

// The marker of a restore is the new database itself, and its name says where the earlier leads go.
const markerPattern = /^leads\.db\.restoring-([\dTZ-]+)$/
const markerName = (stamp: string) => `leads.db.restoring-${stamp}`
const asideName = (stamp: string) => `leads-before-restore-${stamp}.db`
const suffixes = ['', '-wal', '-journal']

/** What a restore is prepared in. It means nothing yet. */
export const preparedFile = (dataDir: string): string => join(dataDir, 'leads.db.restore.part')

/** The names of a restore that is begun now: its marker, and the file that the earlier leads go to. */
export function namesForRestore(dataDir: string, now: Date) {
  const second = `${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
  const stamp = freeStamp(dataDir, second, suffixes)
  return { marker: join(dataDir, markerName(stamp)), aside: join(dataDir, asideName(stamp)) }
}

/**
 * Finishes a restore that is decided: the marker is there. Puts the earlier leads aside with their logs, so that these
 * are never played into another database, then the new file in their place. It may be killed anywhere and run again.
 * Returns where the earlier leads are, if there was something to finish and there were any.
 */
export function finishRestore(dataDir: string): string | undefined {
  // Of one that was interrupted before it was decided.
  for (const suffix of [...suffixes, '-shm']) rmSync(`${preparedFile(dataDir)}${suffix}`, { force: true })
  const stamp = pendingStamp(dataDir)
  if (!stamp) return undefined
  const aside = join(dataDir, asideName(setAside(dataDir, stamp)))
  renameSync(join(dataDir, markerName(stamp)), join(dataDir, 'leads.db'))
  syncFolder(dataDir)
  return existsSync(aside) ? aside : undefined
}

/** Throws where a restore waits to be finished: until then it is not settled which leads are the present ones. */
export function assertNoRestorePending(dataDir: string) {
  if (isRestorePending(dataDir))
    throw new RestorePending('A restore was interrupted. Start the server: it finishes it.')
}

/** A restore was interrupted after it was decided. The message says what to do. */
export class RestorePending extends Error {
  override name = 'RestorePending'
}

/** Whether a restore was interrupted after it was decided. */
export const isRestorePending = (dataDir: string): boolean => pendingStamp(dataDir) !== undefined

const pendingStamp = (dataDir: string): string | undefined =>
  existsSync(dataDir)
    ? readdirSync(dataDir).flatMap((name) => markerPattern.exec(name)?.[1] ?? [])[0]
    : undefined

function setAside(dataDir: string, decided: string): string {
  const live = join(dataDir, 'leads.db')
  const present = suffixes.filter((suffix) => existsSync(`${live}${suffix}`))
  // The one decided on, unless something else has got that name since.
  const stamp = freeStamp(dataDir, decided, present)
  for (const suffix of present) renameSync(`${live}${suffix}`, join(dataDir, `${asideName(stamp)}${suffix}`))
  rmSync(`${live}-shm`, { force: true })
  // Before the new file gets the name: a power cut must not leave it beside an old log.
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
