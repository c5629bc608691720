import { addAbortListener } from 'node:events'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/notes.ts'
import type { ArrivedIn, Database } from '../database/schema.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { withToken } from '../mail/oauth.ts'
import { priorities } from '../outbox/email.ts'
import { type ArrivalTrouble, noteArrivals } from './arrivals.ts'
import { openReader } from './open-reader.ts'
import type { Place } from './read-worker.ts'

const MINUTE_MS = 60 * 1000
// Mail servers may deliver an email some minutes later.
const PATIENCE_MS = 60 * MINUTE_MS
// What came while nobody looked may have been deleted since, so nothing is known about it. Shorter
// gaps, such as those between two connections, are ordinary.
const MAX_GAP_MS = 10 * MINUTE_MS
const CLOCKS_AGREE_MS = 5 * MINUTE_MS
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS
// Newest notices that are looked at, and those that are searched for, in one run.
const MAX_NOTICES = 500
const MAX_SEARCHES = 20

/**
 * Creates a job, to be run every minute, that notes whether notices come to the mailbox that is
 * read. There is trouble if one lies in Junk, or was accepted by the mail server an hour ago and is
 * in no folder. It's over when that one, or a later one, has come to another folder.
 */
export function createArrivalCheck({ db, now, log, redact, env, tokens }: Context) {
  const imapUrl = env.INBOX === 'on' ? (env.IMAP_URL ?? '') : ''
  const { username = '', host = '' } = URL.parse(imapUrl) ?? {}
  const user = decodeURIComponent(username).toLowerCase()
  const of = [`${user} at ${host}`, ...env.MAIL_TO].join()
  // Only in memory: nothing is known about what came before the start, either.
  let ranAt = Number.NaN
  let unknownUpTo = 0

  return async function checkArrivals(signal: AbortSignal): Promise<void> {
    const at = now()
    const newest = await newestNotice(db)
    if (!(await isWatched(at))) unknownUpTo = newest
    const noted = await readNote(db, 'mail_arrival')
    const isSame = noted?.of === of
    const note = isSame ? noted : { of, addresses: [], upTo: newest, trouble: null }
    const notices = await readNotices(db, env.MAIL_TO, at)
    const undecided = notices.filter(({ id }) => id > note.upTo)
    const arrived = undecided
      .filter(({ arrived_in }) => arrived_in)
      .map(({ recipient }) => recipient.toLowerCase())
    const addresses = [...new Set([...note.addresses, ...arrived])]
    const trouble = note.trouble
      ? stillTrue(note.trouble, notices)
      : await findTrouble(undecided, [user, ...addresses], { at, signal })
    const upTo = isSame && trouble === note.trouble ? note.upTo : newest
    if (!isSame || trouble !== note.trouble || addresses.length > note.addresses.length)
      await writeNote(db, 'mail_arrival', { of, addresses, upTo, trouble })
  }

  /** Whether the mailbox has been read until now, without a gap since the last run. */
  async function isWatched(at: Date): Promise<boolean> {
    const readAt = Date.parse((await readNote(db, 'mailbox_read_at')) ?? '')
    const times = [ranAt, readAt]
    ranAt = at.getTime()
    return times.every((time) => Math.abs(at.getTime() - time) < MAX_GAP_MS)
  }

  async function findTrouble(
    notices: readonly Notice[],
    addresses: readonly string[],
    { at, signal }: { at: Date; signal: AbortSignal },
  ): Promise<ArrivalTrouble | null> {
    const since = at.toISOString()
    const due = new Date(at.getTime() - PATIENCE_MS).toISOString()
    const isLate = ({ id, recipient, sent_at, arrived_in }: Notice) =>
      id > unknownUpTo && !arrived_in && sent_at <= due && addresses.includes(recipient.toLowerCase())
    const inJunk = notices.find(({ arrived_in }) => arrived_in === 'junk')
    const found = inJunk ?? (await findMissing(notices.filter(isLate), signal))
    if (!found) return null
    const state = inJunk ? 'junk' : 'missing'
    log.warn({ outboxId: found.id, state }, 'a notice did not come to the inbox of the mailbox')
    return { state, id: found.id, to: found.recipient, since }
  }

  /**
   * The first of these notices that is in no folder: owners, or their rules, may have moved it.
   * What can't be searched for stays unknown.
   */
  async function findMissing(notices: readonly Notice[], signal: AbortSignal): Promise<Notice | undefined> {
    if (notices.length === 0) return undefined
    await using reader = openReader(imapUrl)
    using closing = new DisposableStack()
    closing.use(addAbortListener(signal, () => void reader[Symbol.asyncDispose]()))
    try {
      await withToken(imapUrl, tokens, (token) => reader.ask('connect', token))
      for (const notice of notices.slice(0, MAX_SEARCHES)) {
        const { message_id: messageId, reference, sent_at } = notice
        // Some mail services replace the Message-ID.
        const orLike = { from: env.MAIL_FROM.address, subject: reference }
        const place = placeOf(await reader.ask('locate', { messageId, orLike }), sent_at)
        if (!place) return notice
        const { internalDate: receivedAt = now().toISOString(), use } = place
        await noteArrivals(db, [{ messageId, receivedAt }], arrivedIn(use))
      }
    } catch (error) {
      unknownUpTo = Math.max(...notices.map(({ id }) => id))
      const reason = redact(errorFacts(error).message ?? String(error))
      log.warn({ reason }, 'it is not known whether notices come to the mailbox')
    }
    return undefined
  }
}

type Notice = Awaited<ReturnType<typeof readNotices>>[number]

/**
 * The newest notices that the mail server has accepted. Leaves out those of suspected spam, which
 * may look like spam to a filter.
 */
const readNotices = (db: Database, addresses: readonly string[], at: Date) =>
  db
    .selectFrom('outbox')
    .innerJoin('leads', 'leads.id', 'lead_id')
    .select(['outbox.id', 'message_id', 'recipient', 'reference', 'arrived_in'])
    .select(['sent_at', 'arrived_at'])
    .where('kind', '=', 'owner_notice')
    .where('sent_at', '>', new Date(at.getTime() - LOOK_BACK_MS).toISOString())
    .where('recipient', 'in', addresses)
    .where('priority', '=', priorities.owner)
    .orderBy('sent_at', 'desc')
    .limit(MAX_NOTICES)
    .$narrowType<{ sent_at: string }>()
    .execute()

async function newestNotice(db: Database): Promise<number> {
  const notices = db.selectFrom('outbox').select('id').where('kind', '=', 'owner_notice')
  return (await notices.orderBy('id', 'desc').limit(1).executeTakeFirst())?.id ?? 0
}

/** The same trouble; null if that notice, or a later one since then, isn't in Junk but has come. */
function stillTrue(trouble: ArrivalTrouble, notices: readonly Notice[]): ArrivalTrouble | null {
  const { id, to, since } = trouble
  const isOver = notices.some(
    (notice) =>
      notice.recipient === to &&
      ['inbox', 'archive'].includes(notice.arrived_in ?? '') &&
      (notice.id === id || (notice.id > id && (notice.arrived_at ?? since) >= since)),
  )
  return isOver ? null : trouble
}

/**
 * The place in which a notice has arrived, if any. Gmail keeps what was sent in two folders. An
 * earlier email about the same request isn't the notice.
 */
function placeOf(places: readonly Place[], sentAt: string): Place | undefined {
  const earliest = new Date(Date.parse(sentAt) - CLOCKS_AGREE_MS).toISOString()
  const wasSent = places.some(({ use }) => use === '\\Sent')
  return places.find(
    ({ use = '', internalDate = sentAt }) =>
      use !== '\\Sent' && !(wasSent && use === '\\All') && internalDate >= earliest,
  )
}

const arrivedIn = (use: string | undefined): ArrivedIn =>
  use === '\\Junk' ? 'junk' : use === '\\Inbox' ? 'inbox' : 'archive'
