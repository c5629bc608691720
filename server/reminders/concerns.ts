import { count } from '#shared/count.ts'
import { timeInWords } from '#shared/inbox/words.ts'
import { backupAge } from '../backup/backup-files.ts'
import {
  type BackupContext,
  type BackupRisk,
  findNewestBackup,
  readOffsiteRecord,
} from '../backup/newest-backup.ts'
import type { Context } from '../context.ts'
import { freeBytes } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { ownMountInfo } from '../files/mount.ts'
import { countExpiringSoon } from '../leads/erase/retention.ts'
import { countUnreadable } from '../mailbox/set-aside.ts'
import { readLongTrouble } from '../mailbox/trouble.ts'
import { readBacklog } from '../outbox/backlog.ts'

// Enough for about 100,000 leads. On a full disk, the form stops working.
const LOW_SPACE_BYTES = 500_000_000
const DAY_MS = 24 * 60 * 60 * 1000

/** What `gatherFacts` has read. */
export type OperatorFacts = Awaited<ReturnType<typeof gatherFacts>>

/** Reads what the operator may have to do something about. */
export async function gatherFacts({ db, env }: Pick<Context, 'db' | 'env'>, at: Date) {
  const { DATA_DIR: dataDir, BACKUP_DIR: backupDir, BACKUP_EVERY_HOURS: everyHours } = env
  return {
    at,
    backlog: await readBacklog({ db, env }, at),
    freeBytes: await freeBytes(db, dataDir),
    backup: await findBackup(db, { dataDir, backupDir, everyHours, mountInfo: ownMountInfo() }, at),
    /** How many leads will be deleted within two days. */
    expiring: await countExpiringSoon(db, at, { days: env.RETENTION_DAYS, hasInbox: env.INBOX === 'on' }),
    /** Null unless the mailbox has been unreadable for long. */
    trouble: await readLongTrouble(db, env, at),
    /** How many messages could not be read in a day. */
    unreadable: await countUnreadable(db, new Date(at.getTime() - DAY_MS)),
  }
}

/**
 * Finds the newest backup. Doesn't throw if the folder is unreadable, because the owner must be
 * told.
 */
async function findBackup(db: Database, folders: BackupContext, now: Date) {
  const { everyHours } = folders
  try {
    return { ...(await findNewestBackup(db, folders, now)), everyHours, isReadable: true }
  } catch (error) {
    if (!errorFacts(error).syscall) throw error
    const risks: BackupRisk[] = []
    const offsite = readOffsiteRecord(folders.dataDir)
    return { at: undefined, risks, offsite, everyHours, isReadable: false }
  }
}

/**
 * Describes the problems that need action. If there are any, the morning email comes every day,
 * also on weekends.
 */
export function findConcerns(facts: OperatorFacts): string[] {
  const { at, backlog, freeBytes, expiring } = facts
  const concerns: string[] = []
  if (backlog.oldestAt)
    concerns.push(
      `${count(backlog.waiting, 'email')} cannot be sent; the oldest has been waiting for ${timeBetween(backlog.oldestAt, at)}. Run "doctor" to find out why.`,
    )
  if (backlog.givenUp > 0)
    concerns.push(
      `The server gave up on ${count(backlog.givenUp, 'email')} to you. Find the requests with "leads list --mail failed", and send the emails again with "leads resend --failed".`,
    )
  if (backlog.refused)
    concerns.push(
      `The mail server refuses ${count(backlog.refused, 'email')} to you because of the recipient or the content, but takes others. Run "doctor" to find out why.`,
    )
  concerns.push(...findMailboxConcerns(facts), ...findPostConcerns(facts), ...findBackupConcerns(facts))
  if (freeBytes !== null && freeBytes < LOW_SPACE_BYTES)
    concerns.push(`The disk has only ${(freeBytes / 1e6).toFixed(1)} MB left.`)
  if (expiring > 0)
    concerns.push(
      `${count(expiring, 'old request')} will be deleted within two days because of RETENTION_DAYS.`,
    )
  return concerns
}

function findMailboxConcerns({ at, trouble, unreadable }: OperatorFacts): string[] {
  const concerns: string[] = []
  if (trouble) {
    const since = timeBetween(trouble.since, at)
    const what =
      trouble.folder === 'sent'
        ? `The folder of sent emails in the mailbox has not been readable for ${since}: what you answer from an email program does not count as answered.`
        : `The mailbox has not been readable for ${since}: what people reply is only there.`
    concerns.push(`${what} Run "doctor" to find out why.`)
  }
  if (unreadable > 0)
    concerns.push(
      `${count(unreadable, 'message')} in the mailbox could not be read. Look there with an email program; "doctor" says where.`,
    )
  return concerns
}

function findPostConcerns({ at, backlog }: OperatorFacts): string[] {
  if (!backlog.webhook) return []
  const { waiting, oldestAt, givenUp } = backlog.webhook
  const concerns: string[] = []
  if (oldestAt)
    concerns.push(
      `${count(waiting, 'request')} cannot be posted to LEAD_WEBHOOK_URL; the oldest has been waiting for ${timeBetween(oldestAt, at)}. Run "doctor" to find out why.`,
    )
  if (givenUp > 0)
    concerns.push(
      `The server gave up on posting ${count(givenUp, 'request')} to LEAD_WEBHOOK_URL. To post ${givenUp === 1 ? 'it' : 'them'} again: "leads resend --failed".`,
    )
  return concerns
}

function findBackupConcerns({ at, backup }: OperatorFacts): string[] {
  const { offsite } = backup
  const isTooOld = (taken: Date) => backupAge(taken, at, backup.everyHours) === 'too old'
  const concerns: string[] = []
  if (!backup.isReadable)
    concerns.push(
      'The backup folder cannot be read, so new backups fail too. Run "doctor" to find out what to do.',
    )
  else if (!backup.at) concerns.push('There is no backup yet.')
  else if (isTooOld(backup.at)) concerns.push(`The last backup is ${timeBetween(backup.at, at)} old.`)
  if (offsite?.at === null) concerns.push('There is no offsite backup yet. Run "doctor" to find out why.')
  if (offsite?.at && isTooOld(offsite.at))
    concerns.push(
      `The newest offsite backup is ${timeBetween(offsite.at, at)} old. Run "doctor" to find out why.`,
    )
  return concerns
}

/** Finds risks that the email on Monday mentions, but that are no reason to send one daily. */
export function findBackupNotes({ backup }: OperatorFacts): string[] {
  const notes: string[] = []
  if (backup.risks.includes('same disk'))
    notes.push(
      'The backups are on the same disk as the requests: if it fails, you lose both. Move the backups to another disk: see BACKUP_DIR in server/operations.md.',
    )
  if (backup.risks.includes('disk does not last'))
    notes.push(
      `The backup of ${backup.at?.toISOString().slice(0, 10)} is on a temporary disk: mount a volume at BACKUP_DIR.`,
    )
  return notes
}

/** "12 min", "2.5 h", "2 days". */
const timeBetween = (from: Date | string, until: Date): string =>
  timeInWords((until.getTime() - new Date(from).getTime()) / 60_000)
