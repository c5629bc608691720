import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { requeue } from './requeue.ts'

/** Where emails go: to the mail server, into files, or nowhere until SMTP_URL is back. */
export type WayOut = 'smtp' | 'files' | 'held'

/**
 * A file is no delivery once a mail server was used here: then a missing SMTP_URL is a slip, and emails stay queued. When
 * a mail server is first noted, notices that only became files are sent after all.
 */
export async function findWayOut(db: Database, smtpUrl: string | undefined, now: Date): Promise<WayOut> {
  if (!smtpUrl) return (await isSmtpUsed(db)) ? 'held' : 'files'
  if (!(await readNote<boolean>(db, 'smtp_used'))) await requeue(db, onlyWritten, now)
  await writeNote(db, 'smtp_used', true)
  return 'smtp'
}

/** Whether this installation has had a mail server; by the ledger where no note was kept, for only one answers with a code. */
export async function isSmtpUsed(db: Database): Promise<boolean> {
  if (await readNote<boolean>(db, 'smtp_used')) return true
  const sent = await db
    .selectFrom('outbox_attempts')
    .select('at')
    .where('outcome', '=', 'sent')
    .where('smtp_code', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return sent !== undefined
}

const onlyWritten: Parameters<typeof requeue>[1] = (emails) =>
  emails
    .where('state', '=', 'sent')
    .where('kind', '=', 'owner_notice')
    .where(
      sql<boolean>`not exists (select 1 from outbox_attempts
        where outbox_id = outbox.id and outcome = 'sent' and smtp_code is not null)`,
    )
