import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote } from '../database/settings.ts'

export type Backup = { path: string; at: Date }

const DAY_MS = 24 * 60 * 60 * 1000
const KEEP_MS = 7 * DAY_MS
// A clock that jumps ahead makes every backup look old: so many stay in any case.
const KEEP_AT_LEAST = 7
// A process id says nothing about another container, but a backup at work there writes.
const QUIET_MS = 10 * 60 * 1000
const unfinishedPattern = /^leads-[\dT-]+Z\.db\.(?:(?<pid>\d+)\.part|erasing\.part)(?:-journal|-wal|-shm)?$/

/** `leads-2026-03-02T08-00-00Z.db`: UTC, sorts by time, and safe as a file name anywhere. */
export const backupName = (at: Date): string =>
  `leads-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`

/** The time in the name of a backup, when it was begun; undefined for any other name. */
export function backupTime(name: unknown): Date | undefined {
  const [, date, hour, minute, second] =
    String(name).match(/^leads-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/) ?? []
  const at = new Date(`${date}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** The backups, the newest first. Whatever bears such a name has been verified before it got it. */
export function listBackups(folder: string): Backup[] {
  // Not `existsSync`: a folder that may not be looked into is not an empty one.
  if (!statSync(folder, { throwIfNoEntry: false })) return []
  return readdirSync(folder)
    .flatMap((name) => {
      const at = backupTime(name)
      return at ? [{ path: join(folder, name), at }] : []
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
}

/** When the last good backup was begun. One replica takes it for all, so with PostgreSQL the file may be on another machine. */
export async function lastBackupAt(db: Database, folder: string, now: Date): Promise<Date | undefined> {
  if (!isShared(db)) return lastBackup(folder, now)?.at
  const at = new Date((await readNote<string>(db, 'backup_taken_at')) ?? Number.NaN)
  return at <= now ? at : undefined
}

/** The last good backup. One from the future was named by a wrong clock and says nothing about the last night. */
export const lastBackup = (folder: string, now: Date): Backup | undefined =>
  listBackups(folder).find(({ at }) => at <= now)

/** Deletes what is older than 7 days. What cannot be deleted is left: the backup that was just taken is good. */
export function removeOldBackups(folder: string, now: Date) {
  const old = listBackups(folder)
    .slice(KEEP_AT_LEAST)
    .filter(({ at }) => now.getTime() - at.getTime() > KEEP_MS)
  for (const { path } of old) tryToRemove(path)
}

/** Deletes what killed backups and erasures left. Other programs may keep files in this folder, too. */
export function removeUnfinished(folder: string, now: Date) {
  for (const name of readdirSync(folder)) {
    const match = unfinishedPattern.exec(name)
    if (!match) continue
    const path = join(folder, name)
    const untouchedMs = now.getTime() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    const pid = match.groups?.pid
    const patienceMs = pid && hasEnded(Number(pid)) ? QUIET_MS : DAY_MS
    if (untouchedMs > patienceMs) tryToRemove(path)
  }
}

function hasEnded(pid: number): boolean {
  // A restarted container has the same process ids again.
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

function tryToRemove(path: string) {
  try {
    rmSync(path, { force: true })
  } catch {
    // Tried again at the next backup.
  }
}
