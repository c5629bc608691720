import { backupAge } from '../backup/backup-age.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('backup')

const HOUR_MS = 60 * 60 * 1000

/** How old the last good backup is, by the time it was begun. */
export function checkBackups(lastAt: Date | undefined, now: Date, everyHours: number): Finding {
  if (!lastAt)
    return about.warning(
      'There is no backup yet.',
      'The server takes one each night, or as BACKUP_EVERY_HOURS says, the first a minute after its start; `backup` takes one now.',
    )
  const hours = Math.floor((now.getTime() - lastAt.getTime()) / HOUR_MS)
  const seen = `The last good backup is ${hours} hours old.`
  const advice =
    'Take one now (`backup`) and see what it says; the server logs why it took none ("backup failed").'
  const age = backupAge(lastAt, now, everyHours)
  if (age === 'too old') return about.problem(seen, advice)
  if (age === 'late') return about.warning(seen, advice)
  return about.ok(seen)
}
