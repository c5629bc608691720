import type { SavedReplies } from '#shared/inbox/saved-replies.ts'
import type { Database } from './schema.ts'

/**
 * How far a folder of the mailbox has been read. Reading goes on after `uid`. `of` names the
 * account, the folder, and its incarnation (RFC 3501, 2.3.1.1).
 */
export type Bookmark = {
  of: string
  uid: number
  /**
   * Up to there, what came answers nothing that is still to be read in the folder of sent messages.
   */
  settled?: number
  /**
   * Of the messages up to this one, those from before this time aren't read: they were copied
   * here from another mailbox.
   */
  copied?: { upTo: number; before: string }
}

/**
 * A message that could not be read so far, or, after `MAX_TRIES`, never. `at`: when it was last
 * tried. `date`: what its headers say, if they could be read.
 */
export type SetAside = { uid: number; tries: number; at: string; date?: string }

/**
 * The record of an erased person. With it, a restore of an earlier backup erases the person again.
 */
export type Erasure = {
  /**
   * Keyed hash of the person's address, or of the id of a lead whose address an owner has
   * corrected.
   */
  hash: string
  /**
   * When the newest of the erased leads and messages arrived. What the person sends later stays.
   */
  upTo: string
  at: string
}

/**
 * What the server remembers between runs: JSON in the table `settings`, by name. Times are ISO 8601
 * unless it says so.
 */
type Notes = {
  /** Whether emails have ever been sent by SMTP. */
  smtp_used: boolean
  /**
   * When the last backup of PostgreSQL started. `isLasting`: it is on a disk that survives a
   * restart.
   */
  backup_taken: { at: string; isLasting: boolean }
  /** The backup that was restored. Its time is unknown if the file was renamed. */
  restored_backup: { backupAt: string | null }
  erasures: Erasure[]
  erased_at: string
  /**
   * When retention last ran, and since when the clock and the days have been steady, in
   * milliseconds.
   */
  retention_watch: { days: number; hasInbox: boolean; seenAt: number; steadySince: number }
  notice_list_at: string
  reminded_at: string
  /** The days of the office on which the morning email was queued, as YYYY-MM-DD. */
  morning_days: string[]
  push_keys: { publicKey: string; privateKey: string }
  /** What phones have been told, and until when everything was looked at. */
  push_told: { at: string; tags: string[] }
  saved_replies: SavedReplies
  /** Encrypted with the client secret. */
  oauth_refresh_token: { iv: string; tag: string; text: string }
  /**
   * Which folder of the mailbox can't be read, since when, and what the mail server said; null if
   * both can be. `toldAt`: when the owners were told. An earlier version noted no reason.
   */
  mailbox_trouble: {
    folder: 'inbox' | 'sent' | 'moved'
    since: string
    reason?: string
    toldAt?: string
  } | null
  /**
   * Whether notices come to the mailbox that is read. `of`: the mailbox and MAIL_TO. `upTo`: the
   * newest notice in `outbox` at the last change, up to which they don't count any more.
   * `addresses`: those whose notices have come there. `trouble`: the notice that hasn't.
   */
  mail_arrival: {
    of: string
    upTo: number
    addresses: string[]
    trouble?: { state: 'junk' | 'missing' | 'returned'; id: number; to: string; since: string } | undefined
  }
  /** When everything in the inbox of the mailbox was last read. */
  mailbox_read_at: string
  /** Whether an owner's email was found, so that the inbox is looked at again. */
  mailbox_look_again: boolean
}

/** The notes about a folder of the mailbox end with its name. */
type NoteName = keyof Notes | `mailbox_${string}`
type Note<Name extends NoteName> = Name extends keyof Notes
  ? Notes[Name]
  : Name extends `mailbox_aside_${string}`
    ? { of: string; messages: SetAside[] }
    : Bookmark

export type { Note, Notes }

export type Keys = { clientHash: string; formToken: string }

/** Reads the secret keys that the first migration creates. */
export async function readKeys(db: Database): Promise<Keys> {
  const read = async (name: string) => {
    const key = db.selectFrom('settings').select('value').where('name', '=', name)
    return (await key.executeTakeFirstOrThrow()).value
  }
  return { clientHash: await read('client_hash_key'), formToken: await read('form_token_key') }
}

export async function readNote<Name extends NoteName>(
  db: Database,
  name: Name,
): Promise<Note<Name> | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row && JSON.parse(row.value)
}

/** Reads the messages that were set aside, by folder. */
export async function readAsides(
  db: Database,
): Promise<(Note<`mailbox_aside_${string}`> & { folder: string })[]> {
  const prefix = 'mailbox_aside_'
  const rows = await db.selectFrom('settings').select(['name', 'value']).orderBy('name').execute()
  return rows
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, value }) => ({ folder: name.slice(prefix.length), ...JSON.parse(value) }))
}

export function writeNote<Name extends NoteName>(db: Database, name: Name, content: Note<Name>) {
  const value = JSON.stringify(content)
  return db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
