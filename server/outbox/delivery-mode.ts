import { readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'

/**
 * Whether emails are sent by SMTP, are written to files, or stay queued until SMTP_URL is set
 * again.
 */
export type DeliveryMode = 'smtp' | 'files' | 'held'

/**
 * Until SMTP_URL is set for the first time, emails are written to files, for a first look. After
 * that, a missing SMTP_URL is a mistake, so emails stay queued.
 */
export async function findDeliveryMode(db: Database, smtpUrl: string | undefined): Promise<DeliveryMode> {
  const isUsed = await isSmtpUsed(db)
  if (!smtpUrl) return isUsed ? 'held' : 'files'
  if (!isUsed) await writeNote(db, 'smtp_used', true)
  return 'smtp'
}

/** Whether a server with this database has ever run with SMTP_URL. */
export const isSmtpUsed = async (db: Database): Promise<boolean> => (await readNote(db, 'smtp_used')) === true
