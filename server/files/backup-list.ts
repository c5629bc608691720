import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** `leads-2026-03-02T08-00-00Z.db`: sorts by time, and is a valid file name on every OS. */
export const backupName = (at: Date): string =>
  `leads-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.db`

/** Reads the start time from a backup's name; undefined for any other name. */
export function backupTime(name: unknown): Date | undefined {
  const [, date, hour, minute, second] =
    String(name).match(/^leads-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.db$/) ?? []
  const at = new Date(`${date}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(at.getTime()) ? undefined : at
}

/**
 * Lists the backups, newest first. They are all verified, because only a verified backup gets a
 * name from `backupName`.
 */
export function listBackups(folder: string) {
  // Unlike `existsSync`, this throws if the folder is unreadable.
  if (!statSync(folder, { throwIfNoEntry: false })) return []
  return readdirSync(folder)
    .flatMap((name) => {
      const at = backupTime(name)
      return at ? [{ path: join(folder, name), at }] : []
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
}
