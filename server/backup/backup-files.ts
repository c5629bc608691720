import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isShared } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote } from '../database/settings.ts'

export type Backup = { path: string; at: Date }

const DAY_MS = 24 * 60 * 60 * 1000
const KEEP_MS = 7 * DAY_MS
// A clock that jumps ahead makes every backup look old: so many stay in any case.
const KEEP_AT_LEAST = 7

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
  if (!existsSync(folder)) return []
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

/** Deletes what is older than 7 days, and what an unfinished backup left. */
export function removeOldBackups(folder: string, now: Date) {
  const isOlder = (at: Date, ms: number) => now.getTime() - at.getTime() > ms
  const old = listBackups(folder)
    .slice(KEEP_AT_LEAST)
    .filter(({ at }) => isOlder(at, KEEP_MS))
  const unfinished = readdirSync(folder)
    .filter((name) => name.includes('.part'))
    .map((name) => join(folder, name))
    .filter((path) => isOlder(statSync(path).mtime, DAY_MS))
  for (const path of [...old.map((backup) => backup.path), ...unfinished]) rmSync(path, { force: true })
}
