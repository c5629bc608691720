import { readAsides, readNote, type SetAside, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { MAX_GIVEN_UP, MAX_TRIES, MAX_WAITING } from './limits.ts'

const MINUTE_MS = 60_000

type Failed = Pick<SetAside, 'uid' | 'date'>

const nameOf = (folder: string) => `mailbox_aside_${folder}` as const

/**
 * The messages of a folder that could not be read. Those that were not tried for longest come
 * first.
 */
export async function readSetAside(db: Database, folder: string, of?: string): Promise<SetAside[]> {
  const noted = await readNote(db, nameOf(folder))
  return noted && (of === undefined || noted.of === of) ? noted.messages : []
}

/** The messages of all folders that could not be read, even if a folder is gone, since then. */
export const readAllSetAside = async (
  db: Database,
  since: Date,
): Promise<(SetAside & { folder: string })[]> =>
  (await readAsides(db)).flatMap(({ folder, messages }) =>
    messages.filter(({ at }) => at > since.toISOString()).map((each) => ({ ...each, folder })),
  )

/** Whether a message will be tried again. */
export const hasTriesLeft = ({ tries }: SetAside): boolean => tries < MAX_TRIES

/** How many messages have been given up since then. */
export async function countUnreadable(db: Database, since: Date): Promise<number> {
  const messages = await readAllSetAside(db, since)
  return messages.filter((each) => !hasTriesLeft(each)).length
}

/**
 * Those of the messages of a folder that are to be tried now. `isLast`: for the last time. If too
 * many wait, the first have their last try at once, so that nobody can make all others wait.
 */
export function dueOf(messages: readonly SetAside[], now: Date): { uid: number; isLast: boolean }[] {
  const waiting = messages.filter(hasTriesLeft)
  return waiting.flatMap(({ uid, tries, at }, index) => {
    const isOver = index < waiting.length - MAX_WAITING
    // A clock that was set back ends a pause, too.
    const passedMs = Math.abs(now.getTime() - Date.parse(at))
    const isDue = isOver || passedMs >= pauseAfter(tries)
    return isDue ? [{ uid, isLast: isOver || tries + 1 === MAX_TRIES }] : []
  })
}

/**
 * The pauses are as long as outages of mail servers, but less than an hour together: by then,
 * owners hear of a message.
 */
const pauseAfter = (tries: number) => 3 ** (tries - 1) * MINUTE_MS

/** Notes that a message could not be read. The last try gives it up. */
export async function setAside(
  db: Database,
  { folder, of, now, isLast }: { folder: string; of: string; now: Date; isLast: boolean },
  failed: Failed,
): Promise<void> {
  const known = await readSetAside(db, folder, of)
  const before = known.find(({ uid }) => uid === failed.uid)
  const tries = isLast ? MAX_TRIES : (before?.tries ?? 0) + 1
  const others = known.filter(({ uid }) => uid !== failed.uid)
  const messages = [...others, { ...failed, tries, at: now.toISOString() }]
  await writeNote(db, nameOf(folder), { of, messages: withoutOld(messages) })
}

/** Forgets a message: it was read after all, or deleted. */
export async function takeBack(db: Database, folder: string, uid: number): Promise<void> {
  const noted = await readNote(db, nameOf(folder))
  if (!noted?.messages.some((message) => message.uid === uid)) return
  await writeNote(db, nameOf(folder), {
    ...noted,
    messages: noted.messages.filter((message) => message.uid !== uid),
  })
}

/** Forgets the messages of a mailbox that was replaced: its numbers mean nothing any more. */
export async function forgetReplaced(db: Database, folder: string, of: string): Promise<void> {
  const noted = await readNote(db, nameOf(folder))
  if (noted && noted.of !== of) await writeNote(db, nameOf(folder), { of, messages: [] })
}

/** Those that wait, and the newest of those that were given up. */
function withoutOld(messages: readonly SetAside[]): SetAside[] {
  const givenUp = messages.filter((each) => !hasTriesLeft(each)).slice(-MAX_GIVEN_UP)
  return messages.filter((message) => hasTriesLeft(message) || givenUp.includes(message))
}
