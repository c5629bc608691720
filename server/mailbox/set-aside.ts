import { changeAsides, readAsides, readNote, type SetAside, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { MAX_GIVEN_UP, MAX_TRIES, MAX_WAITING, NAMED_FOR_DAYS, PAUSES_MS } from './limits.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type Failed = Pick<SetAside, 'uid' | 'from' | 'date'>

const nameOf = (folder: string) => `mailbox_aside_${folder}` as const

/** The messages of a folder that could not be read, the oldest first. */
export async function readSetAside(db: Database, folder: string, of?: string): Promise<SetAside[]> {
  const noted = await readNote(db, nameOf(folder))
  return noted && (of === undefined || noted.of === of) ? noted.messages : []
}

/** The messages of all folders that could not be read. */
export const readAllSetAside = async (db: Database): Promise<SetAside[]> =>
  (await readAsides(db)).flatMap(({ messages }) => messages)

/** How many messages have been given up since then. */
export async function countUnreadable(db: Database, since: Date): Promise<number> {
  const messages = await readAllSetAside(db)
  return messages.filter(({ dueAt, at }) => dueAt === null && at > since.toISOString()).length
}

/**
 * Notes that a message could not be read. Returns the note; the last try gives it up. If many wait,
 * the next one has its last try at once, so that nobody can make all of them wait.
 */
export const setAside = (
  db: Database,
  { folder, of, now }: { folder: string; of: string; now: Date },
  failed: Failed,
): Promise<SetAside> =>
  changeAsides(db, async (db) => {
    const others = await readSetAside(db, folder, of)
    const before = others.find(({ uid }) => uid === failed.uid)
    const isFull = !before && others.filter(({ dueAt }) => dueAt !== null).length >= MAX_WAITING
    const tries = isFull ? MAX_TRIES - 1 : (before?.tries ?? 0) + 1
    const pause = isFull ? 0 : (PAUSES_MS[tries - 1] ?? 0)
    const isLast = tries >= MAX_TRIES
    const message: SetAside = {
      ...failed,
      at: before && !isLast ? before.at : now.toISOString(),
      tries,
      dueAt: isLast ? null : new Date(now.getTime() + pause).toISOString(),
    }
    const messages = [...others.filter(({ uid }) => uid !== failed.uid), message]
    await writeNote(db, nameOf(folder), { of, messages: stillNamed(messages, now) })
    return message
  })

/** Forgets a message: it was read after all, or deleted. */
export const takeBack = (db: Database, folder: string, uid: number): Promise<void> =>
  changeAsides(db, async (db) => {
    const noted = await readNote(db, nameOf(folder))
    if (!noted?.messages.some((message) => message.uid === uid)) return
    await writeNote(db, nameOf(folder), {
      ...noted,
      messages: noted.messages.filter((message) => message.uid !== uid),
    })
  })

/** Forgets the messages of a mailbox that was replaced: its numbers mean nothing any more. */
export async function forgetReplaced(db: Database, folder: string, of: string): Promise<void> {
  const noted = await readNote(db, nameOf(folder))
  if (noted && noted.of !== of) await writeNote(db, nameOf(folder), { of, messages: [] })
}

/** Those that wait, and the newest of those that were given up lately. */
function stillNamed(messages: readonly SetAside[], now: Date): SetAside[] {
  const since = new Date(now.getTime() - NAMED_FOR_DAYS * DAY_MS).toISOString()
  const givenUp = messages.filter(({ dueAt, at }) => dueAt === null && at > since).slice(-MAX_GIVEN_UP)
  return messages.filter((message) => message.dueAt !== null || givenUp.includes(message))
}
