import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/notes.ts'
import { isStorageError } from '../database/storage-error.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { createBookmarks } from './bookmarks.ts'
import type { Folder } from './imap.ts'
import { type Open, Passed, type Rounds } from './open-folder.ts'
import { openReader } from './open-reader.ts'
import { createReadFolder } from './read-folder.ts'
import { forgetReplaced } from './set-aside.ts'
import { readTrouble, writeRead, writeTrouble } from './trouble.ts'

const MINUTE_MS = 60 * 1000
// Below the hour for which a replica may keep a job to itself: see `runAlone`.
const SHIFT_MS = 50 * MINUTE_MS
const usualTiming = {
  // Messages that arrive together are read together.
  gatherMs: 1_000,
  // After a failure, such as a wrong password.
  retryAfterMs: MINUTE_MS,
  // For servers that don't say when a message arrives.
  lookEveryMs: MINUTE_MS,
}

/**
 * What is read through one connection. `opens`: by name and path. `refused`: paths that can't be
 * read, until the next watch.
 */
type Watched = Pick<Open, 'reader' | 'sent' | 'ending' | 'isKnown'> & {
  folder: 'inbox' | 'sent'
  opens: Map<string, Open>
  refused: Set<string>
}
type Deps = Context & { imapUrl: string; timing?: typeof usualTiming }

/**
 * Creates a job that reads what arrives in the mailbox, and in its folder of sent messages. It only
 * reads, and changes nothing there. Runs for up to 50 minutes; the caller starts it again. If it
 * can't go on, it notes why, and returns.
 */
export function createMailboxWatch({ imapUrl, timing = usualTiming, ...context }: Deps) {
  const { db, log, now, redact, tokens } = context
  const bookmarks = createBookmarks({ ...context, imapUrl })
  const { readNew, tryAgain, hasWaiting } = createReadFolder({ ...context, bookmarks })
  const inTrouble = new Set<Folder>()

  async function watch(stopping: AbortSignal): Promise<void> {
    // Not `AbortSignal.timeout`: nothing would keep its timer from being collected as garbage.
    const shift = new AbortController()
    const timer = setTimeout(() => shift.abort(), SHIFT_MS)
    const ending = AbortSignal.any([stopping, shift.signal])
    const sent: Rounds = { isRead: true, begun: 0, ended: 0, knownAt: 0, wake() {} }
    try {
      // Each by itself: if only one of them can be read, it is.
      await Promise.all([watchFolders('inbox', sent, ending), watchFolders('sent', sent, ending)])
    } finally {
      clearTimeout(timer)
      // If one folder's trouble can't be noted, the other's watch ends, too.
      shift.abort()
    }
  }

  /** Reads folders with the same in them through one connection. */
  async function watchFolders(folder: Watched['folder'], sent: Rounds, ending: AbortSignal): Promise<void> {
    await using reader = openReader(imapUrl, tokens, ending)
    const isKnown = (await readNote(db, `mailbox_${folder}`)) !== undefined
    const watched: Watched = { folder, reader, sent, ending, isKnown, opens: new Map(), refused: new Set() }
    if (folder === 'sent') sent.wake = reader.wake
    while (!ending.aborted) {
      try {
        return await readFolders(watched)
      } catch (error) {
        if (ending.aborted || error instanceof Passed) continue
        if (folder === 'sent') sent.isRead = false
        await noteTrouble(folder, redact(String(errorFacts(error).message ?? error)))
        await sleep(timing.retryAfterMs, undefined, { signal: ending }).catch(() => {})
      }
    }
  }

  async function readFolders(watched: Watched): Promise<void> {
    const { folder, reader, sent, ending } = watched
    await reader.connect()
    for (;;) {
      // Asked each time: an email program makes a folder when it needs it.
      const [main, ...others] = await foldersOf(watched)
      if (folder === 'sent') sent.isRead = main !== undefined
      if (!main) return waitForFolder(watched)
      await (folder === 'sent' ? readSent(watched, main, others) : readInbox(watched, main, others))
      // Not earlier: a server may open the folder, and show nothing of it.
      await clearTrouble(folder)
      if (folder === 'inbox') await writeRead(db, now())
      watched.isKnown = true
      await reader.news(timing.lookEveryMs)
      await sleep(timing.gatherMs, undefined, { signal: ending })
    }
  }

  async function foldersOf({ folder, isKnown, opens, refused, ...shared }: Watched): Promise<Open[]> {
    const folders = await shared.reader.ask('folders')
    const paths = folder === 'sent' ? folders.sent : [...folders.inbox, ...folders.moved]
    return paths
      .filter((path) => !refused.has(path))
      .map((path, index) => {
        const kind = folder === 'inbox' && index > 0 ? 'moved' : folder
        const name = index > 0 ? `${kind} ${path}` : kind
        // A folder has other notes once it isn't the main one anymore.
        const key = `${name} in ${path}`
        const open = opens.get(key) ?? {
          ...shared,
          folder: kind,
          path,
          arrivedIn: (['inbox', 'junk', 'archive'] as const).find((each) => folders[each].includes(path)),
          name,
          isKnown,
          mark: { of: '', uid: 0 },
          read: { uid: 0, at: 0 },
          oneByOneUntil: 0,
          failedLists: 0,
        }
        opens.set(key, open)
        return open
      })
  }

  async function select(open: Open): Promise<void> {
    const mark = await bookmarks.find(open, await open.reader.ask('open', open.path))
    if (mark.of === open.mark.of) return
    open.read = { uid: mark.uid, at: now().getTime() }
    open.mark = mark
    await forgetReplaced(db, open.name, mark.of)
  }

  async function readSent(watched: Watched, main: Open, others: readonly Open[]): Promise<void> {
    const { sent } = watched
    const round = ++sent.begun
    const begunAt = now().getTime()
    await select(main)
    await readNew(main)
    await readOthers(watched, others, readNew)
    sent.ended = round
    await tryAll(watched, main, others)
    if ((await withWaiting([main, ...others])).length === 0) sent.knownAt = begunAt
  }

  async function readInbox(watched: Watched, main: Open, others: readonly Open[]): Promise<void> {
    // Asked before whether to go back: otherwise, what was sent in between would be missed.
    const { knownAt } = watched.sent
    await select(main)
    await bookmarks.goBack(main)
    await readNew(main)
    await readOthers(watched, others, readNew)
    await tryAll(watched, main, others)
    bookmarks.settle(main, knownAt)
  }

  // What is new is read first: messages that are tried again may each take until the deadline.
  async function tryAll(watched: Watched, main: Open, others: readonly Open[]): Promise<void> {
    await readOthers(watched, await withWaiting(others), tryAgain)
    // There, the server says what is new.
    if (others.length > 0) await select(main)
    await tryAgain(main)
  }

  /** Those of the folders with messages that will be tried again. */
  async function withWaiting(opens: readonly Open[]): Promise<Open[]> {
    const haveWaiting = await Promise.all(opens.map(hasWaiting))
    return opens.filter((_open, index) => haveWaiting[index])
  }

  /**
   * Reads folders, of which none keeps the others from being read: one that can't be read is left
   * out for a while.
   */
  async function readOthers(
    { refused, reader, ending }: Watched,
    others: readonly Open[],
    read: (open: Open) => Promise<void>,
  ): Promise<void> {
    for (const open of others.filter(({ path }) => !refused.has(path)))
      try {
        await select(open)
        await read(open)
      } catch (error) {
        if (ending.aborted || error instanceof Passed || isStorageError(error)) throw error
        refused.add(open.path)
        const { message: reason } = errorFacts(error)
        log.warn({ folder: open.path, reason }, 'IMAP_URL: a folder of the mailbox cannot be read')
        if (!reader.isOpen()) throw new Passed()
      }
  }

  /**
   * There is no such folder yet, which is no trouble. Once there is one, all that's in it is new.
   */
  async function waitForFolder({ folder, sent, ending }: Watched): Promise<void> {
    await clearTrouble(folder)
    const name = `mailbox_${folder}` as const
    const noted = await readNote(db, name)
    if (noted === undefined) await writeNote(db, name, { of: '', uid: 0 })
    // One that was read before may come back, with what owners have sent meanwhile.
    if (folder === 'sent' && !noted?.of) sent.knownAt = now().getTime()
    await sleep(timing.lookEveryMs, undefined, { signal: ending })
    throw new Passed()
  }

  /**
   * Notes and logs the trouble once after each start, not at each try. The inbox matters more than
   * what was sent.
   */
  async function noteTrouble(folder: Folder, reason: string): Promise<void> {
    const noted = await readTrouble(db)
    const isNoted = noted?.folder === folder
    if (noted && (isNoted ? inTrouble.has(folder) : folder === 'sent')) return
    inTrouble.add(folder)
    log.warn({ folder, reason }, 'IMAP_URL: the mailbox cannot be read')
    await writeTrouble(db, { folder, since: now().toISOString(), ...(isNoted && noted), reason })
  }

  async function clearTrouble(folder: Folder): Promise<void> {
    if ((await readTrouble(db))?.folder !== folder) return
    log.info({ folder }, 'IMAP_URL: the mailbox can be read again')
    await writeTrouble(db, null)
  }

  return watch
}
