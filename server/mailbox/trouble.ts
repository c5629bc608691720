import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import type { Folder } from './imap.ts'

const NAME = 'mailbox_trouble'
/** Owners are told about trouble that has lasted this long. Shorter outages are ordinary. */
export const TROUBLE_PATIENCE_MS = 60 * 60 * 1000

/**
 * Which folder of the mailbox can't be read, since when, and what the mail server said; null if both can be. `toldAt`: when the
 * owners were told. An earlier version noted no reason.
 */
export type Trouble = { folder: Folder; since: string; reason?: string; toldAt?: string } | null

export const readTrouble = async (db: Database): Promise<Trouble> =>
  (await readNote<Trouble>(db, NAME)) ?? null

export const writeTrouble = (db: Database, trouble: Trouble) => writeNote(db, NAME, trouble)

/** The trouble that has lasted for an hour, if IMAP_URL is still set. */
export async function readLongTrouble(
  db: Database,
  { IMAP_URL: imapUrl, INBOX }: { IMAP_URL?: string | undefined; INBOX?: string },
  now: Date,
): Promise<Trouble> {
  if (imapUrl === undefined || INBOX !== 'on') return null
  const trouble = await readTrouble(db)
  // A time from the future comes from a wrong clock.
  return trouble && Math.abs(now.getTime() - Date.parse(trouble.since)) >= TROUBLE_PATIENCE_MS
    ? trouble
    : null
}

const READ = 'mailbox_read_at'

/** Notes that everything in the inbox of the mailbox has been read. */
export const writeRead = (db: Database, at: Date) => writeNote(db, READ, at.toISOString())

/** Whether everything in the inbox has been read since this time, and can be read now. */
export async function isReadSince(db: Database, since: Date): Promise<boolean> {
  const readAt = await readNote<string>(db, READ)
  return readAt !== undefined && readAt >= since.toISOString() && (await readTrouble(db)) === null
}
