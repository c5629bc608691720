import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { isStorageError } from '../database/storage-error.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { Problem } from '../errors/problem.ts'
import { addCut, CUT } from '../leads/messages/message-text.ts'
import { noteArrivals } from './arrivals.ts'
import { type Bookmarks, isFromBefore } from './bookmarks.ts'
import { findLead, findLeadsOfSent, findStrayed, isOurs, leadOfSent } from './find-lead.ts'
import type { Folder } from './imap.ts'
import { BATCH, MAX_FAILED_LISTS } from './limits.ts'
import { type Open, Passed } from './open-folder.ts'
import { ReadFailure } from './open-reader.ts'
import type { Head } from './read-head.ts'
import type { MailMessage } from './read-message.ts'
import type { Read } from './read-worker.ts'
import { dueOf, hasTriesLeft, readSetAside, setAside, takeBack } from './set-aside.ts'
import { createTakeIn } from './take-in.ts'

// Longer than it takes to look through it, unless something is wrong.
const SENT_FIRST_MS = 15_000
const SENT_LOOK_MS = 50

/** Of a message: all, or only its headers. */
type How = 'whole' | 'headers'
type Deps = Context & { bookmarks: Bookmarks }

/**
 * Creates functions that read the messages of an open folder, and store those that belong to leads.
 */
export function createReadFolder({ bookmarks, ...context }: Deps) {
  const { db, log, now } = context

  async function readNew(open: Open): Promise<void> {
    // Those have their own tries.
    const aside = new Set((await readSetAside(db, open.name, open.mark.of)).map(({ uid }) => uid))
    const found = await open.reader.ask('find', { after: open.mark.uid })
    const uids = found.filter((uid) => !aside.has(uid))
    if (open.folder !== 'sent' && uids.length > 0) await readSentFirst(open)
    while (uids.length > 0) {
      const [first = 0] = uids
      const batch = uids.splice(0, first <= open.oneByOneUntil ? 1 : BATCH)
      const last = batch.at(-1) ?? first
      const heads = await open.reader.ask('heads', batch).catch(async (error: unknown) => {
        if (batch.length === 1) return pass(open, { uid: first }, 'whole', error)
        open.oneByOneUntil = last
        throw new Passed()
      })
      const messages = heads.flatMap(({ message }) => message ?? [])
      if (open.arrivedIn) await noteArrivals(db, messages, open.arrivedIn)
      for (const head of heads) {
        // Between queries of SQLite, nothing else would run.
        await setImmediate()
        if (isFromBefore(open.mark, head) || !(await isForLead(open.folder, head))) continue
        await readOne(open, head)
        await bookmarks.move(open, head.uid)
        if (!open.reader.isOpen()) throw new Passed()
      }
      await bookmarks.move(open, last)
    }
    open.failedLists = 0
  }

  /**
   * Before visitors' messages are read, what owners have sent is: otherwise, an answer to a new
   * email of an owner would belong to nothing, and an owner's email would answer what came after
   * it.
   */
  async function readSentFirst({ sent, ending }: Open): Promise<void> {
    const round = sent.begun + 1
    sent.wake()
    for (let waited = 0; waited < SENT_FIRST_MS && !ending.aborted; waited += SENT_LOOK_MS) {
      if (!sent.isRead || sent.ended >= round) return
      await sleep(SENT_LOOK_MS)
    }
  }

  /** Another try for messages that could not be read: at last, only for the headers. */
  async function tryAgain(open: Open): Promise<void> {
    const { reader, folder, name, mark } = open
    for (const { uid, isLast } of dueOf(await readSetAside(db, name, mark.of), now())) {
      const how = isLast ? 'headers' : 'whole'
      const [head] = await reader
        .ask('heads', [uid])
        .catch((error: unknown) => pass(open, { uid }, how, error))
      if (head && (await isForLead(folder, head))) await readOne(open, head, how)
      await takeBack(db, name, uid)
      if (!reader.isOpen()) throw new Passed()
    }
  }

  const hasWaiting = async ({ name, mark }: Open): Promise<boolean> =>
    (await readSetAside(db, name, mark.of)).some(hasTriesLeft)

  /**
   * Whether a message seems to belong to a lead, judging by its headers. One without headers may.
   * Asked just before the message is fetched: it may answer one that came with it.
   */
  async function isForLead(folder: Folder, { message, isReport, isDraft }: Head): Promise<boolean> {
    // Gmail's folder of all messages has drafts, also from addresses of owners that we don't know.
    if (isDraft && folder === 'moved') return false
    if (!message || isReport) return true
    if (folder === 'sent') {
      const leads = await findLeadsOfSent(db, message, message.to, now())
      return leads.length > 0 || (await findStrayed(db, message)) !== undefined
    }
    const found = await findLead(db, message, message.from, now())
    return folder === 'inbox' ? found !== undefined : found?.joined === 'ours'
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
      await pass(open, head, how, error)
    }
  }

  async function store({ folder, reader, ending }: Open, message: MailMessage): Promise<void> {
    const takeIn = createTakeIn({
      ...context,
      readWords: (message, conversation) =>
        reader.ask('words', { message, conversation }).catch((error: unknown) => {
          throw ending.aborted ? new Passed() : error
        }),
    })
    await takeIn(message, folder).catch((error: unknown) => {
      if (!(error instanceof Problem && error.code === 'conflict')) throw error
      // The outbox has changed the lead meanwhile: see `reopenLead`.
      return takeIn(message, folder)
    })
    const { messageId } = message
    if (folder === 'sent' && !(await isOurs(db, messageId)) && (await leadOfSent(db, messageId)))
      await bookmarks.lookAgain()
  }

  /** Undefined if the message has been deleted. */
  async function readAs(open: Open, head: Head, how: How): Promise<MailMessage | undefined> {
    const { uid, message, isReport } = head
    if (!message) throw new ReadFailure({ message: 'The mail server does not show its headers.' })
    if (how === 'headers' && isReport)
      throw new ReadFailure({ message: 'The mail server does not show the whole report.' })
    if (how === 'headers') return message
    try {
      const read = await open.reader.ask('read', uid)
      // What a report returns isn't news, and its list can be endless.
      if (!read || (isReport && read.message.isAutoReply)) return read?.message
      return await withParts(open, uid, read)
    } catch (error) {
      // It would take too long each time.
      if (error instanceof ReadFailure && error.isFetched && !isReport) return message
      throw error
    }
  }

  /**
   * A message with what the list of its parts says. Strangers can make that unreadable, so it
   * counts without it.
   */
  async function withParts(open: Open, uid: number, { message, parts }: Read): Promise<MailMessage> {
    const inDoubt = { ...message, isCut: message.isCut || parts === 'unknown' }
    if (parts === 'many' || (parts === 'unknown' && open.failedLists >= MAX_FAILED_LISTS)) return inDoubt
    try {
      const read = await open.reader.ask('parts', { uid, text: message.text })
      const { names, hasMore, isCut } = read
      // Files can be all that somebody sends.
      const text = hasMore ? addCut(read.text || CUT) : read.text
      return { ...(isCut ? inDoubt : message), text, attachments: names }
    } catch (error) {
      if (open.ending.aborted) throw error
      open.failedLists++
      const { message: reason } = errorFacts(error)
      log.warn({ uid, folder: open.folder, reason }, 'of a message in the mailbox, its files are not named')
      return inDoubt
    }
  }

  /** Notes that a message could not be read, and goes on behind it with a new connection. */
  async function pass(open: Open, { uid, date }: Head, how: How, error: unknown): Promise<never> {
    const { folder, name, mark, ending } = open
    if (ending.aborted) throw error
    const isLast = how === 'headers'
    await setAside(db, { folder: name, of: mark.of, now: now(), isLast }, { uid, ...(date && { date }) })
    await bookmarks.move(open, uid)
    const { message: reason } = errorFacts(error)
    if (!isLast) log.warn({ uid, folder, reason }, 'a message in the mailbox cannot be read yet')
    else log.error({ uid, folder, reason }, 'a message in the mailbox cannot be read: look at it there')
    throw new Passed()
  }

  return { readNew, tryAgain, hasWaiting }
}
