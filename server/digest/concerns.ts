import { timeInWords } from '#shared/inbox/words.ts'
import { backupAge } from '../backup/backup-files.ts'
import { count } from '../count.ts'
import type { DigestFacts } from './digest-facts.ts'

// Enough for about 100,000 leads. On a full disk, the form stops working.
const LOW_SPACE_BYTES = 500_000_000

/** Describes the problems that need action. If there are any, the digest is sent daily. */
export function findConcerns(facts: DigestFacts): string[] {
  const { until, backlog, freeBytes, expiring } = facts
  const concerns: string[] = []
  if (backlog.waiting > 0 && backlog.oldestAt)
    concerns.push(
      `${count(backlog.waiting, 'email')} cannot be sent; the oldest has been waiting for ${timeBetween(backlog.oldestAt, until)}. Run "doctor" to find out why.`,
    )
  if (backlog.givenUp > 0)
    concerns.push(
      `The server gave up on ${count(backlog.givenUp, 'email')} to you. Find the requests with "leads list --mail failed", and send the emails again with "leads resend --failed".`,
    )
  if (backlog.refused)
    concerns.push(
      `The mail server refuses ${count(backlog.refused, 'email')} to you because of the recipient or the content, but takes others. Run "doctor" to find out why.`,
    )
  concerns.push(...findPostConcerns(facts), ...findBackupConcerns(facts))
  if (freeBytes !== null && freeBytes < LOW_SPACE_BYTES)
    concerns.push(`The disk has only ${megabytes(freeBytes)} left.`)
  if (expiring > 0)
    concerns.push(
      `${count(expiring, 'old request')} will be deleted within two days because of RETENTION_DAYS.`,
    )
  return concerns
}

function findPostConcerns({ until, backlog }: DigestFacts): string[] {
  const { waiting = 0, oldestAt = null, givenUp = 0 } = backlog.webhook ?? {}
  const concerns: string[] = []
  if (waiting > 0 && oldestAt)
    concerns.push(
      `${count(waiting, 'request')} cannot be posted to LEAD_WEBHOOK_URL; the oldest has been waiting for ${timeBetween(oldestAt, until)}. Run "doctor" to find out why.`,
    )
  if (givenUp > 0)
    concerns.push(
      `The server gave up on posting ${count(givenUp, 'request')} to LEAD_WEBHOOK_URL. To post ${givenUp === 1 ? 'it' : 'them'} again: "leads resend --failed".`,
    )
  return concerns
}

function findBackupConcerns(facts: DigestFacts): string[] {
  const { until, lastBackupAt, backupEveryHours, backupRisks, offsite } = facts
  const isTooOld = (at: string) => backupAge(new Date(at), new Date(until), backupEveryHours) === 'too old'
  const concerns: string[] = []
  if (backupRisks.includes('unreadable'))
    concerns.push(
      'The backup folder cannot be read, so new backups fail too. Run "doctor" to find out what to do.',
    )
  else if (!lastBackupAt) concerns.push('There is no backup yet.')
  else if (isTooOld(lastBackupAt))
    concerns.push(`The last backup is ${timeBetween(lastBackupAt, until)} old.`)
  if (offsite?.at === null) concerns.push('There is no offsite backup yet. Run "doctor" to find out why.')
  if (offsite?.at && isTooOld(offsite.at))
    concerns.push(
      `The newest offsite backup is ${timeBetween(offsite.at, until)} old. Run "doctor" to find out why.`,
    )
  return concerns
}

/** Finds risks that the digest mentions, but that are no reason to send it daily. */
export function findBackupNotes({ backupRisks, lastBackupAt }: DigestFacts): string[] {
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

/** "12 min", "2.5 h", "2 days". */
export const timeBetween = (from: string, until: string): string =>
  timeInWords((Date.parse(until) - Date.parse(from)) / 60_000)

export const megabytes = (bytes: number) =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
