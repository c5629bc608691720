import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { type Note, readNote, writeNote } from '../database/notes.ts'
import type { ArrivedIn, Database } from '../database/schema.ts'
import { priorities } from '../outbox/email.ts'
import { userOf } from './addresses.ts'
import { idOfOurs } from './message-ids.ts'
import { openReader } from './open-reader.ts'
import type { Bounce } from './read-bounce.ts'
import type { MailMessage } from './read-message.ts'

const MINUTE_MS = 60 * 1000
const PATIENCE_MS = 60 * MINUTE_MS
// What came while nobody looked may have been deleted since. Shorter gaps, such as those between
// two connections, are ordinary.
const MAX_GAP_MS = 10 * MINUTE_MS
// Most of what can't be delivered comes back within minutes.
const RETURN_MS = 24 * 60 * MINUTE_MS
const CLOCKS_AGREE_MS = 5 * MINUTE_MS
const MAX_NOTICES = 500

/**
 * Notes which of these messages are notices, so that it is known that they have arrived. Once one
 * has come to the inbox, it stays there: a visitor may send another message with its ID.
 */
export async function noteArrivals(
  db: Database,
  messages: readonly Pick<MailMessage, 'messageId' | 'receivedAt'>[],
  arrivedIn: ArrivedIn,
): Promise<void> {
  for (const { messageId, receivedAt = null } of messages) {
    const [, leadId] = idOfOurs.exec(messageId) ?? []
    if (leadId)
      await db
        .updateTable('outbox')
        .set({ arrived_in: arrivedIn, arrived_at: sql`coalesce(arrived_at, ${receivedAt})` })
        .where((email) => email.and({ lead_id: leadId, message_id: messageId, kind: 'owner_notice' }))
        .where(sql<boolean>`coalesce(arrived_in, 'junk') in ('junk', 'returned')`)
        .execute()
  }
}

/**
 * Notes that a notice has come back. Only who has got it, or an owner's answer to it, can know its
 * Message-ID.
 */
export async function noteReturned(db: Database, { messageId, failed }: Bounce): Promise<void> {
  const [, leadId] = idOfOurs.exec(messageId) ?? []
  if (!leadId) return
  const addresses = failed.map(({ address }) => address)
  await db
    .updateTable('outbox')
    .set({ arrived_in: 'returned' })
    .where((email) => email.and({ lead_id: leadId, message_id: messageId, kind: 'owner_notice' }))
    .where(sql<string>`lower(recipient)`, 'in', addresses)
    .where('arrived_in', 'is', null)
    .execute()
}

/** What is wrong with notices that the mail server has accepted; undefined if they arrive. */
export const readArrivalTrouble = async (db: Database) => (await readNote(db, 'mail_arrival'))?.trouble

/**
 * Creates a job, to be run every minute, that notes if a notice lies in Junk, has come back, or was
 * accepted by the mail server an hour ago and is in no folder of the mailbox that is read. That is
 * over once it has been found, or a later one has come, or, for other mailboxes, after a quiet day.
 */
export function createArrivalCheck({ db, now, env, tokens }: Context) {
  const imapUrl = env.INBOX === 'on' ? (env.IMAP_URL ?? '') : ''
  const user = userOf(imapUrl)
  const of = [`${user} at ${URL.parse(imapUrl)?.host ?? ''}`, ...env.MAIL_TO].join()
  // Not in the database: nothing is known about what came before the start, either.
  let ranAt = 0
  let unknownUpTo = 0
  let soughtUpTo = 0

  return async function checkArrivals(signal: AbortSignal): Promise<void> {
    const at = now()
    const time = at.getTime()
    const all = await readNotices(db)
    const upTo = Math.max(0, ...all.map(({ id }) => id))
    const readAt = Date.parse((await readNote(db, 'mailbox_read_at')) ?? '')
    if (![ranAt, readAt].every((each) => Math.abs(time - each) < MAX_GAP_MS)) unknownUpTo = upTo
    ranAt = time
    const noted = await readNote(db, 'mail_arrival')
    const note: ArrivalNote = noted?.of === of ? noted : { of, upTo, addresses: [] }
    const fresh = all.filter(({ id }) => id > note.upTo)
    const arrived = fresh.filter(hasArrived)
    const returned = fresh.find(({ arrived_in }) => arrived_in === 'returned')
    const addresses = [...new Set([...note.addresses, ...arrived.map(({ recipient }) => recipient)])]
    const change = (changed: Partial<ArrivalNote>) =>
      writeNote(db, 'mail_arrival', { ...note, addresses, ...changed })
    if (note !== noted || addresses.length > note.addresses.length) await change({})
    const inJunk = arrived.find(({ arrived_in }) => arrived_in === 'junk')
    const late = fresh.filter(
      ({ id, sent_at, arrived_in, recipient }) =>
        !arrived_in &&
        id > unknownUpTo &&
        Date.parse(sent_at) <= time - PATIENCE_MS &&
        (recipient.toLowerCase() === user || addresses.includes(recipient)),
    )
    if (note.trouble) {
      const { id, to, state } = note.trouble
      // To another mailbox, whose owner may have had her mail sent on for a while.
      const own = [user, env.MAIL_FROM.address.toLowerCase()]
      const isElsewhere = user.includes('@') && !own.includes(to.toLowerCase())
      const isStaying = ({ arrived_in, sent_at }: Notice) =>
        (state === 'returned' || isElsewhere) &&
        arrived_in === null &&
        Date.parse(sent_at) <= time - RETURN_MS
      const toIt = all.filter((each) => each.recipient === to && (each.id === id || each.id > note.upTo))
      const hasCome = toIt.some((each) => hasArrived(each) && each.arrived_in !== 'junk')
      const isOver = hasCome || toIt.some(isStaying)
      const known = addresses.filter((one) => hasCome || one !== to)
      if (isOver) await change({ upTo, trouble: undefined, addresses: known })
      // A rule may move what comes now into a folder that isn't watched.
      const newest = late.find(({ recipient }) => recipient === to)
      if (isOver || !newest || newest.id <= soughtUpTo) return
      soughtUpTo = newest.id
      await findMissing([newest], signal)
      return
    }
    const found = returned ?? inJunk ?? (late.length > 0 ? await findMissing(late, signal) : undefined)
    if (!found) return
    const state = returned ? 'returned' : inJunk ? 'junk' : 'missing'
    const trouble = { state, id: found.id, to: found.recipient } as const
    await change({ upTo, trouble: { ...trouble, since: at.toISOString() } })
  }

  /** The first notice that is in no folder: owners, or their rules, may have moved the others. */
  async function findMissing(notices: readonly Notice[], signal: AbortSignal): Promise<Notice | undefined> {
    await using reader = openReader(imapUrl, tokens, signal)
    try {
      await reader.connect()
      for (const notice of notices) {
        const { message_id: messageId, reference: subject, sent_at } = notice
        // Some mail services replace the Message-ID. An earlier email may have the same subject.
        const orLike = { from: env.MAIL_FROM.address, subject }
        const since = new Date(Date.parse(sent_at) - CLOCKS_AGREE_MS).toISOString()
        const places = await reader.ask('locate', { messageId, orLike })
        // Gmail keeps what was sent in two folders.
        const unsure = places.some(({ use }) => use === '\\Sent') ? ['\\Sent', '\\All'] : []
        const place = places.find(
          ({ use = '', internalDate = since }) => !unsure.includes(use) && internalDate >= since,
        )
        if (!place) return notice
        const folder = place.use === '\\Junk' ? 'junk' : 'archive'
        await noteArrivals(db, [{ messageId, receivedAt: place.internalDate ?? sent_at }], folder)
      }
    } catch {
      // What can't be searched for stays unknown.
      unknownUpTo = Math.max(...notices.map(({ id }) => id))
    }
    return undefined
  }
}

type ArrivalNote = Note<'mail_arrival'>
type Notice = Awaited<ReturnType<typeof readNotices>>[number]

const hasArrived = ({ arrived_in }: Notice) => arrived_in !== null && arrived_in !== 'returned'

/** The newest notices that the mail server has accepted. Suspected spam belongs in Junk. */
const readNotices = (db: Database) =>
  db
    .selectFrom('outbox')
    .innerJoin('leads', 'leads.id', 'lead_id')
    .select(['outbox.id', 'message_id', 'recipient', 'reference', 'arrived_in', 'sent_at'])
    .where('kind', '=', 'owner_notice')
    .where('sent_at', 'is not', null)
    .where('priority', '=', priorities.owner)
    .orderBy('sent_at', 'desc')
    .limit(MAX_NOTICES)
    .$narrowType<{ sent_at: string }>()
    .execute()
