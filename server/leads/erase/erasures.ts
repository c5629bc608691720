import { createHmac } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BACKUP_DAYS } from '#shared/pages.ts'
import { transact } from '../../database/group-commit.ts'
import { type Erasure, readKeys, readNote, writeNote } from '../../database/notes.ts'
import type { Database } from '../../database/schema.ts'
import { OperatorError } from '../../errors/error-facts.ts'
import { listBackups } from '../../files/backup-list.ts'
import { giveToOwnerOf } from '../../files/private-files.ts'
import { writeDurably } from '../../files/sync.ts'
import { leadsWithMessages } from '../search/senders.ts'
import { eraseMessages, eraseRecipients } from './erase-messages.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** This file is next to the backups, because a record must survive even if the database is lost. */
const FILE = 'erasures.json'

/** When the last backup with a person who was erased at this time has been deleted. */
export const backupsExpireAt = (at: Date): Date => new Date(at.getTime() + BACKUP_DAYS * DAY_MS)

/**
 * Adds records to the database and to the file next to the backups, and deletes those that no
 * backup needs anymore. If the server was off for months, backups can be older than usual, so their
 * age counts, too.
 */
export async function saveErasures(db: Database, folder: string, added: readonly Erasure[], now: Date) {
  const oldest = listBackups(folder).at(-1)?.at ?? now
  const save = async (transaction: Database) => {
    const noted = (await readNote(transaction, 'erasures')) ?? []
    const needed = [...noted, ...readErasures(folder), ...added].filter(
      ({ at }) => backupsExpireAt(new Date(at)) > now || oldest < new Date(at),
    )
    await writeErasures(transaction, needed)
    const content = JSON.stringify(withoutDuplicates(needed))
    // The offsite upload sends a changed file at once. A host without a disk has no folder.
    if (!existsSync(folder) || content === JSON.stringify(readErasures(folder))) return
    await writeDurably(folder, FILE, Buffer.from(content))
    giveToOwnerOf(folder, join(folder, FILE))
  }
  await transact(db, save, ['erasures'])
}

/** Stores the records in the database, and thus in every later backup. */
export const writeErasures = (db: Database, erasures: readonly Erasure[]) =>
  writeNote(db, 'erasures', withoutDuplicates(erasures))

/** Reads the records next to the backups in a folder. */
export function readErasures(folder: string): Erasure[] {
  const path = join(folder, FILE)
  if (!existsSync(path)) return []
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    throw new OperatorError(
      `${path} cannot be read. Without it, a restore would bring back people who were erased. Repair or delete the file.`,
    )
  }
}

/**
 * Creates the records of a person with this address, and of these leads. The hashes are only good
 * for this database.
 */
export async function erasuresOf(
  db: Database,
  addressAndIds: readonly string[],
  times: Omit<Erasure, 'hash'>,
): Promise<Erasure[]> {
  const hashOf = await createHash(db)
  return addressAndIds.map((text) => ({ hash: hashOf(text), ...times }))
}

/**
 * Those of the addresses, in lower case, whose people were erased at this time or later. Undefined
 * if nobody was.
 */
export async function erasedSince(
  db: Database,
  addresses: readonly string[],
  time: string,
): Promise<Set<string> | undefined> {
  const noted = (await readNote(db, 'erasures')) ?? []
  const hashes = new Set(noted.filter(({ at }) => at >= time).map(({ hash }) => hash))
  if (hashes.size === 0) return undefined
  const hashOf = await createHash(db)
  return new Set(addresses.filter((address) => hashes.has(hashOf(address))))
}

/** How many leads, and how many messages about the leads of others, were erased. */
export type ErasedAgain = { leads: number; messages: number }

/** Erases the leads and messages of erased people from a restored database. */
export async function eraseAgain(db: Database, erasures: readonly Erasure[]): Promise<ErasedAgain> {
  if (erasures.length === 0) return { leads: 0, messages: 0 }
  const hashOf = await createHash(db)
  const last = new Map(withoutDuplicates(erasures).map((erasure) => [erasure.hash, erasure]))
  const leads = await db.selectFrom('leads').select(['id', 'created_at', 'email']).execute()
  const ids = leads
    .filter(({ id, email, created_at }) =>
      [email, id].some((text) => created_at <= (last.get(hashOf(text))?.upTo ?? '')),
    )
    .map(({ id }) => id)
  for (const id of ids) await db.deleteFrom('leads').where('id', '=', id).execute()
  const senders = await db
    .selectFrom('lead_events')
    .select('who')
    .distinct()
    .where('received', 'is not', null)
    .execute()
  let messages = 0
  for (const { who } of senders) {
    const erasure = last.get(hashOf(who))
    if (erasure)
      for (const lead of await leadsWithMessages(db, who))
        messages += (await eraseMessages(db, lead, who, erasure)).messages
  }
  const erasedAt = (address: string) => last.get(hashOf(address))?.at
  await eraseRecipients(db, erasedAt)
  return { leads: ids.length, messages }
}

/** Keeps the last erasure of each person or lead. */
const withoutDuplicates = (erasures: readonly Erasure[]): Erasure[] => [
  ...new Map(
    erasures.toSorted((a, b) => (a.upTo < b.upTo ? -1 : 1)).map((erasure) => [erasure.hash, erasure]),
  ).values(),
]

/** The hash's key is in the database, and thus in each backup, but not in the file next to them. */
async function createHash(db: Database) {
  const { clientHash } = await readKeys(db)
  return (text: string) =>
    createHmac('sha256', clientHash).update(`erased ${text.toLowerCase()}`).digest('base64url')
}
