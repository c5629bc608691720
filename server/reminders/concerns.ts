import { count } from '#shared/count.ts'
import { timeInWords } from '#shared/inbox/words.ts'
import { backupAge } from '../backup/backup-files.ts'
import {
  type BackupContext,
  type BackupRisk,
  findNewestBackup,
  readOffsiteRecord,
} from '../backup/newest-backup.ts'
import { freeBytes } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import type { Env } from '../env.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { ownMountInfo } from '../files/mount.ts'
import { countExpiringSoon } from '../leads/erase/retention.ts'
import type { Folder } from '../mailbox/imap.ts'
import { countUnreadable } from '../mailbox/set-aside.ts'
import { readLongTrouble } from '../mailbox/trouble.ts'
import { type Backlog, readBacklog } from '../outbox/backlog.ts'

// Enough for about 100,000 leads. On a full disk, the form stops working.
const LOW_SPACE_BYTES = 500_000_000
const DAY_MS = 24 * 60 * 60 * 1000

/** What the operator may have to do something about. */
export type OperatorFacts = {
  at: string
  backlog: Backlog
  freeBytes: number | null
  lastBackupAt: string | null
  backupEveryHours: number
  backupRisks: (BackupRisk | 'unreadable')[]
  /**
   * When the newest offsite backup started; null before the first one. Undefined if offsite backups
   * are off.
   */
  offsite?: { at: string | null }
  /** How many leads will be deleted within two days. */
  expiring: number
  /**
   * Since when the mailbox can't be read, if that has lasted, and how many messages could not be
   * read in a day.
   */
  mailbox?: { troubleSince: string | null; folder?: Folder; unreadable: number }
}

export type FactDeps = {
  db: Database
  env: Pick<Env, 'DATA_DIR' | 'BACKUP_DIR' | 'BACKUP_EVERY_HOURS' | 'RETENTION_DAYS' | 'IMAP_URL' | 'INBOX'>
}

export async function gatherFacts({ db, env }: FactDeps, at: Date): Promise<OperatorFacts> {
  const { DATA_DIR: dataDir, BACKUP_DIR: backupDir, BACKUP_EVERY_HOURS: backupEveryHours } = env
  const folders = { dataDir, backupDir, everyHours: backupEveryHours, mountInfo: ownMountInfo() }
  const trouble = await readLongTrouble(db, env, at)
  const { at: lastBackupAt, risks, offsite } = await findBackup(db, folders, at)
  return {
    at: at.toISOString(),
    backlog: await readBacklog(db, at),
    freeBytes: await freeBytes(db, dataDir),
    lastBackupAt: lastBackupAt?.toISOString() ?? null,
    backupEveryHours,
    backupRisks: risks,
    ...(offsite && { offsite: { at: offsite.at?.toISOString() ?? null } }),
    expiring: await countExpiringSoon(db, at, env.RETENTION_DAYS),
    mailbox: {
      troubleSince: trouble?.since ?? null,
      ...(trouble && { folder: trouble.folder }),
      unreadable: await countUnreadable(db, new Date(at.getTime() - DAY_MS)),
    },
  }
}

/**
 * Finds the newest backup. Doesn't throw if the folder is unreadable, because the owner must be
 * told.
 */
async function findBackup(db: Database, folders: BackupContext, now: Date) {
  try {
    return await findNewestBackup(db, folders, now)
  } catch (error) {
    if (!errorFacts(error).syscall) throw error
    const risks = ['unreadable' as const]
    return { at: undefined, risks, offsite: readOffsiteRecord(folders.dataDir) }
  }
}

/**
 * Describes the problems that need action. If there are any, the morning email comes every day,
 * also on weekends.
 */
export function findConcerns(facts: OperatorFacts): string[] {
  const { at, backlog, freeBytes, expiring } = facts
  const concerns: string[] = []
  if (backlog.waiting > 0 && backlog.oldestAt)
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
    concerns.push(`The disk has only ${megabytes(freeBytes)} left.`)
  if (expiring > 0)
    concerns.push(
      `${count(expiring, 'old request')} will be deleted within two days because of RETENTION_DAYS.`,
    )
  return concerns
}

function findMailboxConcerns({ at, mailbox }: OperatorFacts): string[] {
  const concerns: string[] = []
  if (mailbox?.troubleSince) {
    const since = timeBetween(mailbox.troubleSince, at)
    const what =
      mailbox.folder === 'sent'
        ? `The folder of sent emails in the mailbox has not been readable for ${since}: what you answer from an email program does not count as answered.`
        : `The mailbox has not been readable for ${since}: what people reply is only there.`
    concerns.push(`${what} Run "doctor" to find out why.`)
  }
  if (mailbox?.unreadable)
    concerns.push(
      `${count(mailbox.unreadable, 'message')} in the mailbox could not be read. Look there with an email program; "doctor" says where.`,
    )
  return concerns
}

function findPostConcerns({ at, backlog }: OperatorFacts): string[] {
  const { waiting = 0, oldestAt = null, givenUp = 0 } = backlog.webhook ?? {}
  const concerns: string[] = []
  if (waiting > 0 && oldestAt)
    concerns.push(
      `${count(waiting, 'request')} cannot be posted to LEAD_WEBHOOK_URL; the oldest has been waiting for ${timeBetween(oldestAt, at)}. Run "doctor" to find out why.`,
    )
  if (givenUp > 0)
    concerns.push(
      `The server gave up on posting ${count(givenUp, 'request')} to LEAD_WEBHOOK_URL. To post ${givenUp === 1 ? 'it' : 'them'} again: "leads resend --failed".`,
    )
  return concerns
}

function findBackupConcerns(facts: OperatorFacts): string[] {
  const { at, lastBackupAt, backupEveryHours, backupRisks, offsite } = facts
  const isTooOld = (taken: string) => backupAge(new Date(taken), new Date(at), backupEveryHours) === 'too old'
  const concerns: string[] = []
  if (backupRisks.includes('unreadable'))
    concerns.push(
      'The backup folder cannot be read, so new backups fail too. Run "doctor" to find out what to do.',
    )
  else if (!lastBackupAt) concerns.push('There is no backup yet.')
  else if (isTooOld(lastBackupAt)) concerns.push(`The last backup is ${timeBetween(lastBackupAt, at)} old.`)
  if (offsite?.at === null) concerns.push('There is no offsite backup yet. Run "doctor" to find out why.')
  if (offsite?.at && isTooOld(offsite.at))
    concerns.push(
      `The newest offsite backup is ${timeBetween(offsite.at, at)} old. Run "doctor" to find out why.`,
    )
  return concerns
}

/** Finds risks that the email on Monday mentions, but that are no reason to send one daily. */
export function findBackupNotes({ backupRisks, lastBackupAt }: OperatorFacts): string[] {
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
const timeBetween = (from: string, until: string): string =>
  timeInWords((Date.parse(until) - Date.parse(from)) / 60_000)

const megabytes = (bytes: number) =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
