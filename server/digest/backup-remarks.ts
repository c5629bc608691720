import { backupAge } from '../backup/backup-age.ts'
import type { DigestFacts } from './digest-facts.ts'
import { duration } from './plain-words.ts'

/** What somebody should do about the backups now; while there is something, the digest comes daily. Pure. */
export function findBackupConcerns({
  until,
  lastBackupAt,
  backupEveryHours = 24,
  backupRisks = [],
  offsite,
}: DigestFacts): string[] {
  // One that failed is made up for by the next try, two are worth a look.
  const isTooOld = (at: string) => backupAge(new Date(at), new Date(until), backupEveryHours) === 'too old'
  const age = (at: string) => duration(Date.parse(until) - Date.parse(at))
  const concerns: string[] = []
  if (backupRisks.includes('unreadable'))
    concerns.push('The folder of the backups cannot be read, so new ones fail, too. Ask "doctor" what to do.')
  else if (!lastBackupAt) concerns.push('There is no backup yet.')
  else if (isTooOld(lastBackupAt)) concerns.push(`The last backup is ${age(lastBackupAt)} old.`)
  // A disk that does not last is told of once a week: many hosts have no other.
  if (backupRisks.includes('gone') && !backupRisks.includes('disk does not last'))
    concerns.push('The file of the last backup is gone. Ask "doctor" what to do.')
  if (offsite?.at === null)
    concerns.push('No backup has been sent elsewhere yet. Ask "doctor" for the reason.')
  if (offsite?.at && isTooOld(offsite.at))
    concerns.push(`The newest backup sent elsewhere is ${age(offsite.at)} old. Ask "doctor" for the reason.`)
  return concerns
}

/** What to know about the backups once a week. Pure. */
export function findBackupNotes({ backupRisks = [], lastBackupAt }: DigestFacts): string[] {
  const notes: string[] = []
  if (backupRisks.includes('same disk'))
    notes.push(
      'The backups are on the same disk as the requests: if it dies, both are gone. Put them elsewhere: see BACKUP_DIR in server/operations.md.',
    )
  if (backupRisks.includes('disk does not last'))
    notes.push(
      `The backup of ${lastBackupAt?.slice(0, 10)} is on a disk that does not last: mount a volume at BACKUP_DIR.`,
    )
  return notes
}
