import { addAbortListener } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { errorFacts } from '../error-facts.ts'
import { createBookmarks } from './bookmarks.ts'
import { type Bookmark, type Open, Passed, type Rounds } from './open-folder.ts'
import { openReader } from './open-reader.ts'
import { createReadFolder } from './read-folder.ts'
import { forgetReplaced } from './set-aside.ts'
import type { Folder } from './take-in.ts'
import { readTrouble, writeRead, writeTrouble } from './trouble.ts'

const MINUTE_MS = 60 * 1000
// Below the hour for which a replica may keep a job to itself: see `runAlone`.
const SHIFT_MS = 50 * MINUTE_MS
const usualTiming: Timing = {
  // Messages that arrive together are read together.
  gatherMs: 1_000,
  // After a failure, such as a wrong password.
  retryAfterMs: MINUTE_MS,
  // For servers that don't say when a message arrives.
  lookEveryMs: MINUTE_MS,
}

type Timing = { gatherMs: number; retryAfterMs: number; lookEveryMs: number }
type Deps = Context & { imapUrl: string; onQueued: () => void; timing?: Timing }

/**
 * Creates a job that reads what arrives in the mailbox, and in its folder of sent messages. It only reads, and changes nothing
 * there. Runs for up to 50 minutes; the caller starts it again. If it can't go on, it notes why, and returns.
 */
export function createMailboxWatch({ imapUrl, onQueued, timing = usualTiming, ...context }: Deps) {
  const { db, log, now, redact } = context
  const bookmarks = createBookmarks({ ...context, imapUrl })
  const { readNew, tryAgain, untilNextTry } = createReadFolder({ ...context, bookmarks, onQueued })

  async function watch(stopping: AbortSignal): Promise<void> {
    // Not `AbortSignal.timeout`: nothing would keep its timer from being collected as garbage.
    const shift = new AbortController()
    const timer = setTimeout(() => shift.abort(), SHIFT_MS)
    const ending = AbortSignal.any([stopping, shift.signal])
    const sent: Rounds = { isRead: true, begun: 0, ended: 0, knownAt: 0, wake() {}, wakeInbox() {} }
    try {
      // Each by itself: if only one of them can be read, it is.
      await Promise.all([watchFolder('inbox', sent, ending), watchFolder('sent', sent, ending)])
    } finally {
      clearTimeout(timer)
      // If one folder's trouble can't be noted, the other's watch ends, too.
      shift.abort()
    }
  }

  async function watchFolder(folder: Folder, sent: Rounds, ending: AbortSignal): Promise<void> {
    await using reader = openReader(imapUrl, folder)
    using closing = new DisposableStack()
    closing.use(addAbortListener(ending, () => void reader[Symbol.asyncDispose]()))
    const mark = { of: '', uid: 0 }
    const read = { uid: 0, at: 0 }
    const open: Open = { folder, reader, sent, ending, mark, read, oneByOneUntil: 0, failedLists: 0 }
    if (folder === 'sent') sent.wake = reader.wake
    else sent.wakeInbox = reader.wake
    while (!ending.aborted) {
      try {
        return await readFolder(open)
      } catch (error) {
        if (ending.aborted || error instanceof Passed) continue
        if (folder === 'sent') sent.isRead = false
        await noteTrouble(folder, redact(errorFacts(error).message ?? String(error)))
        await sleep(timing.retryAfterMs, undefined, { signal: ending }).catch(() => {})
      }
    }
  }

  async function readFolder(open: Open): Promise<void> {
    const { reader, folder, sent, ending } = open
    const opened = await reader.ask('open')
    if (folder === 'sent') sent.isRead = opened !== undefined
    if (!opened) return waitForFolder(open)
    const mark = await bookmarks.find(open, opened)
    if (mark.of !== open.mark.of) open.read = { uid: mark.uid, at: now().getTime() }
    open.mark = mark
    await forgetReplaced(db, folder, mark.of)
    for (let isFirst = true; ; isFirst = false) {
      await (folder === 'sent' ? readSent(open) : readInbox(open))
      // Not earlier: a server may open the folder, and show nothing of it.
      await clearTrouble(folder)
      if (isFirst && folder === 'inbox') await writeRead(db, now())
      await reader.news(Math.min(timing.lookEveryMs, await untilNextTry(open)))
      await sleep(timing.gatherMs, undefined, { signal: ending })
    }
  }

  // What is new is read first: messages that are tried again may each take until the deadline.
  async function readSent(open: Open): Promise<void> {
    const { sent } = open
    const round = ++sent.begun
    const begunAt = now().getTime()
    await readNew(open)
    sent.ended = round
    await tryAgain(open)
    if ((await untilNextTry(open)) === Infinity) sent.knownAt = begunAt
  }

  async function readInbox(open: Open): Promise<void> {
    // Asked before whether to go back: otherwise, what was sent in between would be missed.
    const { knownAt } = open.sent
    await bookmarks.goBack(open)
    await readNew(open)
    await tryAgain(open)
    bookmarks.settle(open, knownAt)
  }

  /** There is no such folder yet, which is no trouble. Once there is one, all that's in it is new. */
  async function waitForFolder({ folder, sent, ending }: Open): Promise<void> {
    await clearTrouble(folder)
    const name = `mailbox_${folder}`
    const noted = await readNote<Bookmark>(db, name)
    if (noted === undefined) await writeNote(db, name, { of: '', uid: 0 })
    // One that was read before may come back, with what owners have sent meanwhile.
    if (folder === 'sent' && !noted?.of) sent.knownAt = now().getTime()
    await sleep(timing.lookEveryMs, undefined, { signal: ending })
    throw new Passed()
  }

  /** Notes and logs the trouble once, not at each try. The inbox matters more than what was sent. */
  async function noteTrouble(folder: Folder, reason: string): Promise<void> {
    const noted = await readTrouble(db)
    if (noted && !(noted.folder === 'sent' && folder === 'inbox')) return
    log.warn({ folder, reason }, 'IMAP_URL: the mailbox cannot be read')
    await writeTrouble(db, { folder, since: now().toISOString(), reason })
  }

  async function clearTrouble(folder: Folder): Promise<void> {
    if ((await readTrouble(db))?.folder !== folder) return
    log.info({ folder }, 'IMAP_URL: the mailbox can be read again')
    await writeTrouble(db, null)
  }

  return watch
}
