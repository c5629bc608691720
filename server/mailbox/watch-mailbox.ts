import { addAbortListener } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { isStorageError } from '../database/storage-error.ts'
import { errorFacts } from '../error-facts.ts'
import { Problem } from '../problem.ts'
import { findLead, isOurs, leadOfSent, mayBelongToLead } from './find-lead.ts'
import { knownSenders } from './known-senders.ts'
import { BATCH, MAX_FAILED_LISTS, MAX_TRIES, PAUSES_MS } from './limits.ts'
import { openReader, type Reader, ReadFailure } from './open-reader.ts'
import { type Message, withCut } from './read-message.ts'
import type { Head, OpenedFolder, Read } from './read-worker.ts'
import { forgetReplaced, readSetAside, setAside, takeBack } from './set-aside.ts'
import { createTakeIn, type Folder } from './take-in.ts'
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
// If the mailbox was replaced, what came in these days is looked at again. Each message is stored only once.
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS

// Longer than it takes to look through it, unless something is wrong.
const SENT_FIRST_MS = 15_000
const SENT_LOOK_MS = 50
// Some mail servers show a sent message only after its answer.
const SENT_LAG_MS = 10 * MINUTE_MS
/** The note that an owner's email was found, so that the inbox is looked at again. */
const LOOK_AGAIN = 'mailbox_look_again'

/**
 * Reading goes on after `uid`. `of` names the account, the folder, and its incarnation (RFC 3501,
 * 2.3.1.1). `settled`: up to there, what came answers nothing that is still to be read in the folder
 * of sent messages.
 */
type Bookmark = { of: string; uid: number; settled?: number }
/**
 * A folder that is being read. `read`: when everything up to this message had been read, some time
 * ago. `oneByOneUntil`: a batch up to this message could not be read as a whole. `failedLists`: how
 * many lists of parts have failed since all was read.
 */
type Open = {
  folder: Folder
  reader: Reader
  sent: Rounds
  ending: AbortSignal
  mark: Bookmark
  read: { uid: number; at: number }
  oneByOneUntil: number
  failedLists: number
}
/**
 * How often the folder of sent messages was looked through. `isRead`: false if it's missing, or can't
 * be read. `knownAt`: everything that was in it at this time has been read.
 */
type Rounds = {
  isRead: boolean
  begun: number
  ended: number
  knownAt: number
  wake: () => void
  wakeInbox: () => void
}
/** Of a message: all, or only its headers. */
type How = 'whole' | 'headers'
type Timing = { gatherMs: number; retryAfterMs: number; lookEveryMs: number }
type Deps = Context & { imapUrl: string; onQueued: () => void; timing?: Timing }

/** One message could not be read, and was noted, or has ended the connection. The next connection goes on behind it. */
class Passed extends Error {
  override name = 'Passed'
}

/**
 * Creates a job that reads what arrives in the mailbox, and in its folder of sent messages. It only reads, and changes nothing
 * there. Runs for up to 50 minutes; the caller starts it again. If it can't go on, it notes why, and returns.
 */
export function createMailboxWatch({ imapUrl, onQueued, timing = usualTiming, ...context }: Deps) {
  const { db, write, log, now, redact } = context
  const takeIn = createTakeIn({ ...context, onQueued })

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
    const mark = await findBookmark(open, opened)
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
    await goBack(open)
    await readNew(open)
    await tryAgain(open)
    settle(open, knownAt)
  }

  /**
   * If an owner's email was found, looks again at what came to the inbox before: it may answer that
   * email, or report that it could not be delivered. Until then, it belonged to nothing.
   */
  async function goBack(open: Open): Promise<void> {
    if (!(await readNote<boolean>(db, LOOK_AGAIN))) return
    const { uid, settled = uid } = open.mark
    open.mark = { ...open.mark, uid: Math.min(uid, settled) }
    await write(async (transaction) => {
      await writeNote(transaction, 'mailbox_inbox', open.mark)
      await writeNote(transaction, LOOK_AGAIN, false)
    })
  }

  /** Not while something in the folder of sent messages can't be read, however long that takes. */
  function settle(open: Open, knownAt: number): void {
    const { read, mark } = open
    if (knownAt - read.at < SENT_LAG_MS) return
    open.mark = { ...mark, settled: read.uid }
    open.read = { uid: mark.uid, at: now().getTime() }
  }

  /** There is no such folder yet, which is no trouble. Once there is one, all that's in it is new. */
  async function waitForFolder({ folder, sent, ending }: Open): Promise<void> {
    await clearTrouble(folder)
    if (folder === 'sent') sent.knownAt = now().getTime()
    const name = `mailbox_${folder}`
    if ((await readNote<Bookmark>(db, name)) === undefined) await writeNote(db, name, { of: '', uid: 0 })
    await sleep(timing.lookEveryMs, undefined, { signal: ending })
    throw new Passed()
  }

  /** Where to go on reading. What was in the mailbox before it was first watched isn't read. */
  async function findBookmark({ reader, folder }: Open, opened: OpenedFolder): Promise<Bookmark> {
    const { username, host } = new URL(imapUrl)
    // With the account, because some services, such as Gmail, use the same UIDVALIDITY for all of them.
    const of = `${username}@${host} ${opened.path} ${opened.validity}`
    const noted = await readNote<Bookmark>(db, `mailbox_${folder}`)
    if (noted?.of === of) return { settled: noted.uid, ...noted }
    const since = new Date(now().getTime() - LOOK_BACK_MS)
    const [first = opened.next] = noted ? await reader.ask('find', { since }) : []
    const mark = { of, uid: first - 1, settled: first - 1 }
    await writeNote(db, `mailbox_${folder}`, mark)
    return mark
  }

  async function moveBookmark(open: Open, uid: number): Promise<void> {
    if (uid <= open.mark.uid) return
    open.mark = { ...open.mark, uid }
    // So that it shares the flush of a message or request.
    await write((transaction) => writeNote(transaction, `mailbox_${open.folder}`, open.mark))
  }

  /**
   * Before visitors' messages are read, what owners have sent is: otherwise, an answer to a new email of an owner would
   * belong to nothing, and an owner's email would answer what came after it.
   */
  async function readSentFirst({ sent, ending }: Open): Promise<void> {
    const round = sent.begun + 1
    sent.wake()
    for (let waited = 0; waited < SENT_FIRST_MS && !ending.aborted; waited += SENT_LOOK_MS) {
      if (!sent.isRead || sent.ended >= round) return
      await sleep(SENT_LOOK_MS)
    }
  }

  async function readNew(open: Open): Promise<void> {
    // Those have their own tries.
    const aside = new Set((await readSetAside(db, open.folder, open.mark.of)).map(({ uid }) => uid))
    const found = await open.reader.ask('find', { after: open.mark.uid })
    const uids = found.filter((uid) => !aside.has(uid))
    if (open.folder === 'inbox' && uids.length > 0) await readSentFirst(open)
    while (uids.length > 0) {
      const [first = 0] = uids
      const batch = uids.splice(0, first <= open.oneByOneUntil ? 1 : BATCH)
      const last = batch.at(-1) ?? first
      const heads = await open.reader.ask('heads', batch).catch(async (error: unknown) => {
        if (batch.length === 1) return pass(open, { uid: first }, error)
        open.oneByOneUntil = last
        throw new Passed()
      })
      const wanted = await wantedOf(open.folder, heads)
      for (const head of heads.filter((one) => wanted.has(one.uid))) {
        if (await isForLead(open.folder, head)) await readOne(open, head)
        await moveBookmark(open, head.uid)
        if (!open.reader.isOpen()) throw new Passed()
      }
      await moveBookmark(open, last)
    }
    open.failedLists = 0
  }

  /** Another try for messages that could not be read: at last, only for the headers. */
  async function tryAgain(open: Open): Promise<void> {
    const { reader, folder, mark } = open
    const due = (await readSetAside(db, folder, mark.of)).filter(
      ({ dueAt }) => dueAt !== null && !isAhead(dueAt),
    )
    for (const { uid, tries } of due) {
      const heads = await reader.ask('heads', [uid]).catch((error: unknown) => pass(open, { uid }, error))
      const [head] = heads
      if (head && (await wantedOf(folder, heads)).has(uid) && (await isForLead(folder, head)))
        await readOne(open, head, tries + 1 < MAX_TRIES ? 'whole' : 'headers')
      await takeBack(db, folder, uid)
      if (!reader.isOpen()) throw new Passed()
    }
  }

  /** A time further ahead than the longest pause comes from a clock that was wrong. */
  function isAhead(time: string): boolean {
    const aheadMs = Date.parse(time) - now().getTime()
    return aheadMs > 0 && aheadMs <= Math.max(...PAUSES_MS)
  }

  async function untilNextTry({ folder, mark }: Open): Promise<number> {
    const times = (await readSetAside(db, folder, mark.of)).flatMap(({ dueAt }) => dueAt ?? [])
    return Math.max(0, Math.min(...times.map((at) => Date.parse(at))) - now().getTime())
  }

  /** The messages that may belong to a lead, judging by their headers. Those without headers may, too. */
  async function wantedOf(folder: Folder, heads: readonly Head[]): Promise<Set<number>> {
    const people = ({ message }: Head) =>
      message
        ? folder === 'sent'
          ? message.to
          : [message.from, ...message.originals, ...message.replyTo]
        : []
    const known = await knownSenders(db, [...new Set(heads.flatMap(people))].filter(Boolean))
    const isWanted = (head: Head) =>
      !head.message ||
      head.isReport ||
      mayBelongToLead(head.message) ||
      people(head).some((address) => known.has(address))
    return new Set(heads.filter(isWanted).map(({ uid }) => uid))
  }

  /**
   * Whether what somebody has sent still looks as if it belongs to a lead. Asked just before the message is fetched: it may
   * answer one that came with it.
   */
  async function isForLead(folder: Folder, { message, isReport }: Head): Promise<boolean> {
    if (folder === 'sent' || !message || isReport || !mayBelongToLead(message)) return true
    return (await findLead(db, message, message.from, now())) !== undefined
  }

  async function readOne(open: Open, head: Head, how: How = 'whole'): Promise<void> {
    const { uid } = head
    const { folder } = open
    try {
      const message = await readAs(open, head, how)
      if (message) await store(open, message)
      if (how === 'headers')
        log.warn({ uid, folder }, 'of a message in the mailbox, only the headers can be read')
    } catch (error) {
      // Then no message can be stored: this one isn't to blame.
      if (isStorageError(error)) throw error
      await pass(open, head, error)
    }
  }

  async function store({ folder, sent }: Open, message: Message): Promise<void> {
    await takeIn(message, folder).catch((error: unknown) => {
      if (!(error instanceof Problem && error.code === 'conflict')) throw error
      // The outbox has changed the lead meanwhile: see `reopenLead`.
      return takeIn(message, folder)
    })
    const { messageId } = message
    if (folder === 'inbox' || (await isOurs(db, messageId)) || !(await leadOfSent(db, messageId))) return
    await writeNote(db, LOOK_AGAIN, true)
    sent.wakeInbox()
  }

  /** Undefined if the message has been deleted. */
  async function readAs(open: Open, head: Head, how: How): Promise<Message | undefined> {
    const { uid, message, isReport } = head
    if (!message) throw new ReadFailure({ message: 'The mail server does not show its headers.' })
    if (how === 'headers' && isReport)
      throw new ReadFailure({ message: 'The mail server does not show the whole report.' })
    if (how === 'headers') return message
    try {
      const read = await open.reader.ask('read', uid)
      return read && (await withFiles(open, uid, read))
    } catch (error) {
      // It would take too long each time.
      if (error instanceof ReadFailure && error.isFetched && !isReport) return message
      throw error
    }
  }

  /** A message with the names of its files. Strangers can make them unreadable, so it counts without them. */
  async function withFiles(open: Open, uid: number, { message, parts }: Read): Promise<Message> {
    const inDoubt = parts === 'unknown' ? withCut(message) : message
    if (parts === 'many' || (parts === 'unknown' && open.failedLists >= MAX_FAILED_LISTS)) return inDoubt
    try {
      const { names, hasTextBeyond } = await open.reader.ask('files', uid)
      return { ...(hasTextBeyond ? inDoubt : message), attachments: names }
    } catch (error) {
      if (open.ending.aborted) throw error
      open.failedLists++
      const reason = redact(errorFacts(error).message ?? String(error))
      log.warn({ uid, folder: open.folder, reason }, 'of a message in the mailbox, its files are not named')
      return inDoubt
    }
  }

  /** Notes that a message could not be read, and goes on behind it with a new connection. */
  async function pass(open: Open, { uid, message, date }: Head, error: unknown): Promise<never> {
    const { folder, mark, ending } = open
    if (ending.aborted) throw error
    const sender = { ...(message && { from: message.from }), ...(date && { date }) }
    const { dueAt } = await setAside(db, { folder, of: mark.of, now: now() }, { uid, ...sender })
    await moveBookmark(open, uid)
    const reason = redact(errorFacts(error).message ?? String(error))
    if (dueAt) log.warn({ uid, folder, reason, dueAt }, 'a message in the mailbox cannot be read yet')
    else log.error({ uid, folder, reason }, 'a message in the mailbox cannot be read: look at it there')
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
