import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'

const NAME = 'mailbox_trouble'

/** Which folder of the mailbox can't be read, and since when; null if both can be. The log says why. */
export type Trouble = { folder: 'inbox' | 'sent'; since: string } | null

export const readTrouble = async (db: Database): Promise<Trouble> =>
  (await readNote<Trouble>(db, NAME)) ?? null

export const writeTrouble = (db: Database, trouble: Trouble) => writeNote(db, NAME, trouble)
