import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote } from '../database/settings.ts'

export type Backup = { path: string; at: Date }

const DAY_MS = 24 * 60 * 60 * 1000
const KEEP_MS = 7 * DAY_MS
// If the clock jumps ahead, every backup looks old. Always keep this many.
const KEEP_AT_LEAST = 7
// A running backup in another container has an unknown process id, but it keeps writing.
const IDLE_MS = 10 * 60 * 1000
const unfinishedPattern = /^leads-[\dT-]+Z\.db\.(?:(?<pid>\d+)\.part|erasing\.part)(?:-journal|-wal|-shm)?$/

/** `leads-2026-03-02T08-00-00Z.db`: UTC, sorts by time, and safe as a file name anywhere. */
export const backupName = (at: Date): string =>
  `leads-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`

/** The start time from a backup's name; undefined for any other name. */
export function backupTime(name: unknown): Date | undefined {
  const [, date, hour, minute, second] =
    String(name).match(/^leads-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/) ?? []
  const at = new Date(`${date}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/** The backups, newest first. A file gets such a name only after it is verified. */
export function listBackups(folder: string): Backup[] {
  // Not `existsSync`: it would treat an unreadable folder as empty.
  if (!statSync(folder, { throwIfNoEntry: false })) return []
  return readdirSync(folder)
    .flatMap((name) => {
      const at = backupTime(name)
      return at ? [{ path: join(folder, name), at }] : []
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
}

/** When the last good backup started. With PostgreSQL, another replica may have taken it on another machine. */
export async function lastBackupAt(db: Database, folder: string, now: Date): Promise<Date | undefined> {
  if (!isShared(db)) return lastBackup(folder, now)?.at
  const at = new Date((await readNote<string>(db, 'backup_taken_at')) ?? Number.NaN)
  return at <= now ? at : undefined
}

/** The last good backup. Ignores future ones: their clock was wrong. */
export const lastBackup = (folder: string, now: Date): Backup | undefined =>
  listBackups(folder).find(({ at }) => at <= now)

/** Deletes backups older than 7 days. A file that can't be deleted stays and doesn't fail the new backup. */
export function removeOldBackups(folder: string, now: Date) {
  const old = listBackups(folder)
    .slice(KEEP_AT_LEAST)
    .filter(({ at }) => now.getTime() - at.getTime() > KEEP_MS)
  for (const { path } of old) tryToRemove(path)
}

/** Deletes leftovers of killed backups and erasures, and no other program's files. */
export function removeUnfinished(folder: string, now: Date) {
  for (const name of readdirSync(folder)) {
    const match = unfinishedPattern.exec(name)
    if (!match) continue
    const path = join(folder, name)
    const idleMs = now.getTime() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    const pid = match.groups?.pid
    const maxIdleMs = pid && hasEnded(Number(pid)) ? IDLE_MS : DAY_MS
    if (idleMs > maxIdleMs) tryToRemove(path)
  }
}

function hasEnded(pid: number): boolean {
  // A restarted container reuses process ids.
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
    // The next backup tries again.
  }
}
