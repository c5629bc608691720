import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import type { ContactRequest } from '#shared/contact-request.ts'
import { addressDoubt } from '#shared/inbox/address-doubt.ts'
import { type BackupContext, type BackupRisk, findNewestBackup } from '../backup/newest-backup.ts'
import { readOffsiteRecord } from '../backup/offsite-record.ts'
import { databaseBytes, isShared } from '../database/differences.ts'
import { listOf } from '../database/list-of.ts'
import type { Database } from '../database/schema.ts'
import { errorFacts } from '../error-facts.ts'
import { ownMountInfo } from '../files/mount.ts'
import { expiringSoon } from '../leads/retention.ts'
import { parseReasons } from '../leads/spam-score.ts'
import { type Backlog, hasBouncedReceipt, readBacklog } from '../outbox/backlog.ts'

// Enough to read in an email; `leads list` shows them all.
const MAX_LISTED = 30

type NewLead = {
  reference: string
  at: string
  budget: ContactRequest['budget']
  doubts: string[]
  /** What to do about the bounced receipt of an open lead. Digests queued by older versions lack this. */
  addressDoubt?: string
}

/** The content of a digest. It has no names or addresses, so an erased person leaves no traces in it. */
export type DigestFacts = {
  since: string
  until: string
  /** `suspects`: suspected spam that no owner has judged, as listed in the inbox. `listed` contains only the newest. */
  newLeads: { count: number; suspects: number; withoutEmail: number; listed: NewLead[] }
  backlog: Backlog
  givenUp: string[]
  databaseBytes: number
  freeBytes: number | null
  lastBackupAt: string | null
  /** Digests queued by older versions lack this and the next two fields. */
  backupEveryHours?: number
  backupRisks?: (BackupRisk | 'unreadable')[]
  /** When the newest offsite backup started; null before the first one. Undefined if offsite backups are off. */
  offsite?: { at: string | null }
  expiring: { leads: number; references: string[] }
}

export type FactDeps = {
  db: Database
  dataDir: string
  backupDir: string
  backupEveryHours: number
  retentionDays: number
  /** Emails to the owner that were queued before this time count as late. */
  waitingSince: () => Date
}

/** Gathers the content of a digest. Fast even with a million leads. */
export async function gatherFacts(
  { db, dataDir, backupDir, backupEveryHours, retentionDays, waitingSince }: FactDeps,
  since: Date,
  until: Date,
): Promise<DigestFacts> {
  const folders = { dataDir, backupDir, everyHours: backupEveryHours, mountInfo: ownMountInfo() }
  const { at: lastBackupAt, risks, offsite } = await findBackup(db, folders, until)
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    newLeads: await findNewLeads(db, since, until),
    backlog: await readBacklog(db, waitingSince()),
    givenUp: await findGivenUp(db),
    databaseBytes: await databaseBytes(db),
    // The free space of a database server is unknown.
    freeBytes: isShared(db) ? null : await readFreeBytes(dataDir),
    lastBackupAt: lastBackupAt?.toISOString() ?? null,
    backupEveryHours,
    backupRisks: risks,
    ...(offsite && { offsite: { at: offsite.at?.toISOString() ?? null } }),
    expiring: await expiringSoon(db, until, retentionDays),
  }
}

/** Finds the newest backup. Doesn't throw if the folder is unreadable, because the digest must report that. */
async function findBackup(db: Database, folders: BackupContext, now: Date) {
  try {
    return await findNewestBackup(db, folders, now)
  } catch (error) {
    if (!errorFacts(error).syscall) throw error
    const risks = ['unreadable' as const]
    return { at: undefined, risks, offsite: readOffsiteRecord(folders.dataDir) }
  }
}

async function findNewLeads(db: Database, since: Date, until: Date): Promise<DigestFacts['newLeads']> {
  const arrived = db
    .selectFrom('leads')
    .where('created_at', '>', since.toISOString())
    .where('created_at', '<=', until.toISOString())
  const counts = await arrived
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.countAll<number>().filterWhere(isInSuspects).as('suspects'),
      fn.countAll<number>().filterWhere(sql<boolean>`${isInSuspects} and ${hasNoEmail}`).as('withoutEmail'),
    ])
    .executeTakeFirstOrThrow()
  const newest = await arrived
    .select(['reference', 'created_at as at', 'budget', 'spam_reasons', 'phone', 'state', listOf.as('list')])
    .select(hasBouncedReceipt.as('isBounced'))
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED)
    .execute()
  const listed = newest.map(({ reference, at, budget, spam_reasons, phone, state, list, isBounced }) => ({
    reference,
    at,
    budget,
    doubts: list === 'suspects' ? parseReasons(spam_reasons) : [],
    ...(state === 'open' && isBounced && { addressDoubt: addressDoubt(phone) }),
  }))
  return { ...counts, listed }
}

const isInSuspects = sql<boolean>`${listOf} = 'suspects'`
const hasNoEmail = sql<boolean>`not exists (select 1 from outbox where lead_id = leads.id and kind = 'owner_notice')`

async function findGivenUp(db: Database): Promise<string[]> {
  const leads = await db
    .selectFrom('outbox')
    .innerJoin('leads', 'leads.id', 'outbox.lead_id')
    .select('reference')
    .distinct()
    .where(sql<boolean>`outbox.state = 'failed' and kind = 'owner_notice'`)
    .limit(MAX_LISTED)
    .execute()
  return leads.map(({ reference }) => reference)
}

async function readFreeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}
