import { backupAge } from '../backup/backup-files.ts'
import type { DigestFacts } from './digest-facts.ts'
import { duration } from './duration.ts'

/** Finds problems with the backups that need action. While there are any, the digest is sent daily. */
export function findBackupConcerns(facts: DigestFacts): string[] {
  const { until, lastBackupAt, backupEveryHours = 24, backupRisks = [], offsite } = facts
  const isTooOld = (at: string) => backupAge(new Date(at), new Date(until), backupEveryHours) === 'too old'
  const age = (at: string) => duration(Date.parse(until) - Date.parse(at))
  const concerns: string[] = []
  if (backupRisks.includes('unreadable'))
    concerns.push(
      'The backup folder cannot be read, so new backups fail too. Run "doctor" to find out what to do.',
    )
  else if (!lastBackupAt) concerns.push('There is no backup yet.')
  else if (isTooOld(lastBackupAt)) concerns.push(`The last backup is ${age(lastBackupAt)} old.`)
  // A backup on a temporary disk gets only a note, even if it is gone: many hosts have no other disk.
  if (backupRisks.includes('gone') && !backupRisks.includes('disk does not last'))
    concerns.push('The last backup file is gone. Run "doctor" to find out what to do.')
  if (offsite?.at === null) concerns.push('There is no offsite backup yet. Run "doctor" to find out why.')
  if (offsite?.at && isTooOld(offsite.at))
    concerns.push(`The newest offsite backup is ${age(offsite.at)} old. Run "doctor" to find out why.`)
  return concerns
}

/** Finds risks that the digest mentions, but that are no reason to send it daily. */
export function findBackupNotes({ backupRisks = [], lastBackupAt }: DigestFacts): string[] {
  const notes: string[] = []
  if (backupRisks.includes('same disk'))
    notes.push(
      'The backups are on the same disk as the requests: if it fails, you lose both. Move the backups to another disk: see BACKUP_DIR in server/operations.md.',
    )
  if (backupRisks.includes('disk does not last'))
    notes.push(
      `The backup of ${lastBackupAt?.slice(0, 10)} is on a temporary disk: mount a volume at BACKUP_DIR.`,
    )
  return notes
}
