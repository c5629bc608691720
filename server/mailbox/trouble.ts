import { type Notes, readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'

/** Owners are told about trouble that has lasted this long. Shorter outages are ordinary. */
const TROUBLE_PATIENCE_MS = 60 * 60 * 1000

/** Null if the mailbox can be read. */
export type Trouble = Notes['mailbox_trouble']

export const readTrouble = async (db: Database): Promise<Trouble> =>
  (await readNote(db, 'mailbox_trouble')) ?? null

export const writeTrouble = (db: Database, trouble: Trouble) => writeNote(db, 'mailbox_trouble', trouble)

/** The trouble that has lasted for so long, by default for an hour, if IMAP_URL is still set. */
export async function readLongTrouble(
  db: Database,
  { IMAP_URL: imapUrl, INBOX }: { IMAP_URL?: string | undefined; INBOX?: string },
  now: Date,
  patienceMs = TROUBLE_PATIENCE_MS,
): Promise<Trouble> {
  if (imapUrl === undefined || INBOX !== 'on') return null
  const trouble = await readTrouble(db)
  // A time from the future comes from a wrong clock.
  return trouble && Math.abs(now.getTime() - Date.parse(trouble.since)) >= patienceMs ? trouble : null
}

/** Notes that everything in the inbox of the mailbox has been read. */
export const writeRead = (db: Database, at: Date) => writeNote(db, 'mailbox_read_at', at.toISOString())

/** Whether everything in the inbox has been read since this time, and can be read now. */
export async function isReadSince(db: Database, since: Date): Promise<boolean> {
  const readAt = await readNote(db, 'mailbox_read_at')
  return readAt !== undefined && readAt >= since.toISOString() && (await readTrouble(db)) === null
}
