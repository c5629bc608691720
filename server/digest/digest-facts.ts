import { sql } from 'kysely'
import type { Figures } from '#shared/inbox/api.ts'
import type { LeadRow } from '#shared/inbox/lead.ts'
import { promiseLeft } from '#shared/inbox/promise-left.ts'
import {
  type BackupContext,
  type BackupRisk,
  findNewestBackup,
  readOffsiteRecord,
} from '../backup/newest-backup.ts'
import { databaseBytes, freeBytes } from '../database/differences.ts'
import { listOf } from '../database/migrations/001-first.ts'
import type { Database } from '../database/schema.ts'
import type { Env } from '../env.ts'
import { errorFacts } from '../error-facts.ts'
import { ownMountInfo } from '../files/mount.ts'
import { countLate, countWaiting, readWeek } from '../inbox/reads/figures.ts'
import { listLeads, outboxColumns, toLeadRow } from '../inbox/reads/lists.ts'
import { countExpiringSoon } from '../leads/retention.ts'
import { type Backlog, readBacklog } from '../outbox/backlog.ts'

// The longest list that is practical in an email. The inbox shows all leads.
const MAX_LISTED = 20

/** The state of a lead when the digest was queued. `words` are, for example, "2 h left", "1 day over", or "answered". */
type Standing = { words: string; isLate: boolean }
/** A lead in a digest. */
export type ListedLead = {
  reference: string
  standing?: Standing
  /** What to do about an open lead whose receipt bounced. */
  addressDoubt?: string
}

/**
 * The content of a digest. It has no names or addresses, so it doesn't have to change when a person's data is erased. Names
 * are read when the digest is sent.
 */
export type DigestFacts = {
  since: string
  until: string
  /**
   * `count` leaves out spam and suspects. `suspects` counts suspected spam that no owner has judged, as in the inbox.
   * `listed` and `suspected` contain only the newest leads.
   */
  newLeads: {
    count: number
    suspects: number
    listed: ListedLead[]
    suspected: ListedLead[]
  }
  /** The inbox's counts, and its open leads except the new ones, most urgent first. */
  open: { waiting: number; late: number; listed: ListedLead[]; hasMore: boolean }
  /** The figures of the last full week. */
  week: Figures['weeks'][number]
  backlog: Backlog
  databaseBytes: number
  freeBytes: number | null
  lastBackupAt: string | null
  backupEveryHours: number
  backupRisks: (BackupRisk | 'unreadable')[]
  /** When the newest offsite backup started; null before the first one. Undefined if offsite backups are off. */
  offsite?: { at: string | null }
  /** How many leads will be deleted within two days. */
  expiring: number
}

export type FactDeps = {
  db: Database
  env: Pick<Env, 'DATA_DIR' | 'BACKUP_DIR' | 'BACKUP_EVERY_HOURS' | 'RETENTION_DAYS'>
  /** Emails to the owner that were queued before this time count as late. */
  waitingSince: () => Date
}

export async function gatherFacts(
  { db, env, waitingSince }: FactDeps,
  since: Date,
  until: Date,
): Promise<DigestFacts> {
  const { DATA_DIR: dataDir, BACKUP_DIR: backupDir, BACKUP_EVERY_HOURS: backupEveryHours } = env
  const folders = { dataDir, backupDir, everyHours: backupEveryHours, mountInfo: ownMountInfo() }
  const { at: lastBackupAt, risks, offsite } = await findBackup(db, folders, until)
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    newLeads: await findNewLeads(db, since, until),
    open: await findOpenLeads(db, since, until),
    week: await readWeek(db, until, 1),
    backlog: await readBacklog(db, waitingSince()),
    databaseBytes: await databaseBytes(db),
    freeBytes: await freeBytes(db, dataDir),
    lastBackupAt: lastBackupAt?.toISOString() ?? null,
    backupEveryHours,
    backupRisks: risks,
    ...(offsite && { offsite: { at: offsite.at?.toISOString() ?? null } }),
    expiring: await countExpiringSoon(db, until, env.RETENTION_DAYS),
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
      fn.countAll<number>().filterWhere(isRequest).as('count'),
      fn.countAll<number>().filterWhere(isInSuspects).as('suspects'),
    ])
    .executeTakeFirstOrThrow()
  const newest = arrived
    .selectAll('leads')
    .select(outboxColumns)
    .orderBy('created_at', 'desc')
    .limit(MAX_LISTED)
  return {
    ...counts,
    listed: (await newest.where(isRequest).execute()).map((row) => listedAt(until, toLeadRow(row))),
    suspected: (await newest.where(isInSuspects).execute()).map(({ reference }) => ({ reference })),
  }
}

const isInSuspects = sql<boolean>`${listOf} = 'suspects'`
const isRequest = sql<boolean>`${listOf} not in ('suspects', 'spam')`

async function findOpenLeads(db: Database, since: Date, until: Date): Promise<DigestFacts['open']> {
  const { leads, next } = await listLeads(db, { view: 'open', after: undefined, now: until })
  const earlier = leads.filter(({ receivedAt }) => receivedAt <= since.toISOString())
  return {
    waiting: await countWaiting(db, until),
    late: await countLate(db, until),
    listed: earlier.slice(0, MAX_LISTED).map((row) => listedAt(until, row)),
    hasMore: next !== null || earlier.length > MAX_LISTED,
  }
}

function listedAt(now: Date, row: LeadRow): ListedLead {
  const { reference, state, addressDoubt } = row
  const doubt = state === 'open' && addressDoubt ? { addressDoubt } : {}
  return { reference, standing: standingAt(now, row), ...doubt }
}

function standingAt(now: Date, { state, followUpOn, receivedAt, dueAt }: LeadRow): Standing {
  const { words, tone } = promiseLeft({ receivedAt, dueAt }, now.getTime())
  if (state === 'open' && !followUpOn) return { words, isLate: tone === 'late' }
  return { words: followUpOn ? `follow up on ${followUpOn}` : state, isLate: false }
}
