import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { requeue } from './requeue.ts'

/** Whether emails are sent by SMTP, are written to files, or stay queued until SMTP_URL is set again. */
export type DeliveryMode = 'smtp' | 'files' | 'held'

// Kept small: HTTP requests have to wait while a batch runs.
const BATCH = 500

/** Once an installation has used SMTP, a missing SMTP_URL is a mistake: emails stay queued instead of going into files. */
export async function findDeliveryMode(db: Database, smtpUrl: string | undefined): Promise<DeliveryMode> {
  const isUsed = smtpUrl !== undefined || (await isSmtpUsed(db))
  if (isUsed) await writeNote(db, 'smtp_used', true)
  if (smtpUrl) return 'smtp'
  return isUsed ? 'held' : 'files'
}

/** Whether the database records that the server has run with SMTP_URL. */
export const isSmtpRecorded = async (db: Database): Promise<boolean> =>
  (await readNote<boolean>(db, 'smtp_used')) === true

/**
 * Whether this installation has used SMTP. Older versions didn't record that, but a delivery with a reply code proves
 * it, because only mail servers reply with a code.
 */
export async function isSmtpUsed(db: Database): Promise<boolean> {
  if (await isSmtpRecorded(db)) return true
  const sent = await db
    .selectFrom('outbox_attempts')
    .innerJoin('outbox', 'outbox.id', 'outbox_id')
    .select('at')
    .where('outcome', '=', 'sent')
    .where('smtp_code', 'is not', null)
    .where('kind', '<>', 'webhook')
    .limit(1)
    .executeTakeFirst()
  return sent !== undefined
}

/**
 * Requeues notices that were only written to files. Call it every minute: a replica without SMTP_URL may still be writing a
 * file when another replica starts with SMTP_URL for the first time.
 */
export async function requeueWritten(db: Database, now: () => Date, signal: AbortSignal): Promise<number> {
  let total = 0
  while (!signal.aborted) {
    const requeued = await requeue(db, onlyWritten, now())
    total += requeued
    if (requeued < BATCH) break
  }
  return total
}

const onlyWritten: Parameters<typeof requeue>[1] = (emails) =>
  emails
    .where('state', '=', 'sent')
    .where('kind', '=', 'owner_notice')
    .where(
      'id',
      'in',
      // The first two conditions must match those of the index `attempts_written`, or SQLite won't use it.
      sql<number>`(select outbox_id from outbox_attempts as written
        where outcome = 'sent' and smtp_code is null and response like 'written to %'
          and exists (select 1 from outbox where id = outbox_id and state = 'sent' and kind = 'owner_notice')
          and not exists (select 1 from outbox_attempts as other where other.outbox_id = written.outbox_id
            and other.outcome = 'sent' and other.response not like 'written to %')
        order by outbox_id limit ${sql.lit(BATCH)})`,
    )
