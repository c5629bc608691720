import { replyDueAt } from '#shared/promise-clock.ts'
import type { Context } from '../context.ts'
import type { Database } from '../database/schema.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { addEvent, applyDecision, lockLead, type StoredLead } from '../leads/change/change-lead.ts'
import { columnsAfterEmail, timeOfAnswer } from '../leads/change/mark-lead.ts'
import { markUnheard, queueReplyNotices } from '../leads/emails/reply-notices.ts'
import { sortKey } from '../leads/lists/sort-key.ts'
import { fileNames } from '../leads/messages/message-text.ts'
import { addFound, foundIn, type SearchText } from '../leads/search/found-in.ts'
import { domainOf } from '../outbox/email.ts'
import { userOf } from './addresses.ts'
import { readConversation } from './conversation.ts'
import {
  type FoundLead,
  findLead,
  findLeadsOfSent,
  findOurs,
  findStrayed,
  insteadOfSpam,
  isLetter,
  isOurs,
} from './find-lead.ts'
import type { Folder } from './imap.ts'
import { isUnanswered, MORE, roomIn } from './lead-room.ts'
import { wentToVisitor } from './message-ids.ts'
import { Passed } from './open-folder.ts'
import type { MailMessage } from './read-message.ts'
import { type Belonging, columnsOf, forgetCopy, isReadBefore, isSent, isStored } from './stored-messages.ts'
import { createTakeInBounce, takeInStrayed } from './take-in-bounce.ts'
import { answersAll, isAnsweredBefore } from './who-waits.ts'
import { withoutErased, wordsOfOthers } from './without-erased.ts'
import { unfolded, type Words, withSubject, type writtenIn } from './words.ts'

type Deps = Context & {
  /** Reads a message's words in a thread that can be ended: see `openReader`. */
  readWords: (...asked: Parameters<typeof writtenIn>) => Promise<Words> | Words
}
/** Stores a message with a lead. `who`: the address of its sender. */
type Record = (transaction: Database, lead: StoredLead, message: Belonging, who: string) => Promise<void>

/**
 * Creates a function that stores a message with the lead it belongs to, at most once. A visitor's
 * message reopens the lead; an owner's answers it; what a program wrote changes nothing else.
 * Ignores everything that belongs to no lead.
 */
export function createTakeIn({ readWords, ...context }: Deps) {
  const { db, write, now, env, log } = context
  const addresses = [...env.MAIL_TO, env.MAIL_FROM.address, userOf(env.IMAP_URL)]
  const owners = addresses.filter(Boolean).map((address) => address.toLowerCase())
  const takeInBounce = createTakeInBounce(context)

  async function takeIn(whole: MailMessage, folder: Folder): Promise<void> {
    if (whole.bounce) return takeInBounce(whole.bounce, whole)
    const message = await withoutErased(db, whole, isNoOwner)
    if (!message) return
    if (folder === 'sent') return takeInSent(message)
    const isOurAddress = owners.includes(message.from) || message.from.endsWith(`@${domainOf(env.MAIL_FROM)}`)
    const original = isOurAddress ? message.originals.find(isNoOwner) : undefined
    // A group also names the sender whose From it keeps.
    if (original && original !== message.from) return takeInRewritten(message, original)
    if (owners.includes(message.from)) return takeInFromOwner(message, folder)
    const lead = await findLead(db, message, message.from, now())
    if (lead && (folder !== 'moved' || lead.joined === 'ours'))
      await takeInFromVisitor(lead, message, message.from)
  }

  const isNoOwner = (address: string) => !owners.includes(address)

  async function takeInSent(message: MailMessage): Promise<void> {
    if (await isNoAnswer(message)) return
    const people = message.to.filter(isNoOwner)
    for (const lead of await findLeadsOfSent(db, message, people, now()))
      await store(lead, message, message.from, recordAnswer)
    const own = [message.from, userOf(env.IMAP_URL), env.MAIL_FROM.address.toLowerCase()]
    // What went to another owner has arrived.
    const strayed = message.to.every((one) => own.includes(one)) ? await findStrayed(db, message) : undefined
    if (strayed) await store(strayed, message, message.from, recordStrayed)
  }

  async function takeInFromOwner(message: MailMessage, folder: Folder): Promise<void> {
    if (await isNoAnswer(message)) return
    const answered = await findOurs(db, message)
    // Gmail's folder of all messages has drafts, too.
    if (answered && folder !== 'inbox') return
    const found = await findLead(db, message, message.from, now())
    // Owners try the form, and what follows, with addresses of their own.
    const isOwn = found?.joined === 'ours' && found.email.toLowerCase() === message.from
    const [closest = ''] = message.answers
    if (isOwn && (!answered || wentToVisitor(closest))) return takeInFromVisitor(found, message, message.from)
    if (answered) return store(answered, message, message.from, recordAnswer)
    // Only owners get a notice. Thunderbird keeps its Reply-To in an owner's reply to herself.
    if (!wentToVisitor(closest) && (await isOurs(db, closest))) return
    const sender = message.replyTo.find(isNoOwner)
    if (sender) await takeInRewritten(message, sender)
  }

  /**
   * Whether an owner's message is one of our own, as some mail servers put copies into their
   * folders, or a program's.
   */
  const isNoAnswer = async ({ messageId, isAutomatic, isNewsletter }: MailMessage) =>
    isAutomatic || isNewsletter || (await isOurs(db, messageId))

  /** A message from a group or forwarder that has put our address into From. */
  async function takeInRewritten(message: MailMessage, sender: string): Promise<void> {
    const lead = await findLead(db, message, sender, now())
    if (lead?.joined === 'ours') await takeInFromVisitor(lead, message, sender)
  }

  async function takeInFromVisitor(found: FoundLead, message: MailMessage, who: string): Promise<void> {
    if (found.joined === 'address' && !isLetter(message)) return
    if (await isReadBefore(db, message, who)) return
    const lead = await insteadOfSpam(db, found, message, who, now())
    const whole = isLetter(message) ? withSubject(message) : message
    await store(lead, whole, who, message.isAutomatic ? recordMinor : recordReply)
  }

  /**
   * Whatever is in it, a message isn't lost because its quotations can't be told from its words.
   */
  async function readFolded(message: MailMessage, leadId: string, writer?: string): Promise<Words> {
    const { text, isCut, answers } = message
    try {
      return await readWords({ text, isCut }, await readConversation(context, leadId, writer, answers))
    } catch (error) {
      if (error instanceof Passed) throw error
      const { message: reason } = errorFacts(error)
      log.warn({ leadId, reason }, 'a message is shown with all that it quotes')
      return unfolded({ text, isCut })
    }
  }

  async function store(found: FoundLead, incoming: MailMessage, who: string, record: Record): Promise<void> {
    const isAnswer = record === recordAnswer || record === recordStrayed
    const read = await readFolded(incoming, found.id, isAnswer ? undefined : who)
    // Somebody may have been erased meanwhile.
    const current = await withoutErased(db, incoming, isNoOwner)
    if (!current) return
    const { isWithoutErased, ...message } = current
    const words = isWithoutErased ? await wordsOfOthers(db, read, message.receivedAt ?? '', isNoOwner) : read
    // Some mail services put what we have sent into the folder of sent messages, with another
    // Message-ID.
    if (words.isCopy && (isAnswer || owners.includes(who))) return
    await lockLead(write, found.reference, async (transaction, lead) => {
      const whole = { ...message, ...words }
      if (await isStored(transaction, lead, whole, { who, joined: found.joined, isAnswer })) return
      const left = isSent(found.joined) ? 'all' : await roomIn(transaction, { ...found, who }, now())
      // It may be the one honest message behind a flood.
      const isNews = left === 'none' && record === recordReply && lead.state !== 'spam'
      const room = isNews && !(await isUnanswered(transaction, lead.id)) ? MORE : left
      if (room === 'none') {
        log.warn({ leadId: lead.id }, 'a message is only in the mailbox: too many came today')
        if (isNews) await markUnheard(transaction, lead.id)
        return
      }
      const kept =
        room === 'all'
          ? { ...whole, found: withFiles(words.found, message.attachments) }
          : { ...whole, written: room, found: foundIn(room), quotes: [], attachments: [] }
      await record(transaction, lead, { ...kept, joined: found.joined }, who)
    })
  }

  /**
   * Stores what a program has sent, or what somebody has written about spam, which changes nothing
   * else. If it's news, the next list names the lead, which looks unread.
   */
  async function recordMinor(transaction: Database, lead: StoredLead, message: Belonging, who: string) {
    const isNews = await isMinorNews(transaction, lead, message)
    const event = { lead_id: lead.id, at: now().toISOString(), who, what: 'automatic_reply' } as const
    await addEvent(transaction, { ...event, ...columnsOf(lead, message, who) }, message.found)
    if (isNews) await markUnheard(transaction, lead.id)
  }

  /** An owner has answered from an email program. The draft stays. */
  async function recordAnswer(transaction: Database, lead: StoredLead, message: Belonging, who: string) {
    await forgetCopy(transaction, lead, message)
    const at = timeOfAnswer(lead, now(), message.receivedAt)
    const isAnswered = lead.state !== 'spam' && (await answersAll(transaction, lead, message))
    const columns = isAnswered ? columnsAfterEmail(lead, at) : {}
    // The change is new: see `createRetention`.
    const set = { ...columns, sort_key: sortKey({ ...lead, ...columns }, now().toISOString()) }
    const event = { what: 'answered_by_mail', ...columnsOf(lead, message, who, message.to) } as const
    await applyDecision(transaction, lead, { set, event, found: message.found }, { at, who })
  }

  const recordStrayed: Record = (transaction, lead, message, owner) =>
    takeInStrayed(transaction, lead, message, { owner, at: now(), env })

  /**
   * The visitor has written again: the lead is open, with a new promise. If an owner has answered
   * that before it was read, the next list names it.
   */
  async function recordReply(transaction: Database, lead: StoredLead, message: Belonging, who: string) {
    if (lead.state === 'spam') return recordMinor(transaction, lead, message, who)
    const at = now()
    const columns = columnsOf(lead, message, who)
    if (await isAnsweredBefore(transaction, lead, message, who)) {
      const event = { what: 'reply', ...columns } as const
      await applyDecision(transaction, lead, { set: {}, event, found: message.found }, { at, who })
      await markUnheard(transaction, lead.id)
      return
    }
    // A lead that waits keeps its promise: otherwise, a visitor who asks again and again would
    // never be late.
    const isWaiting = lead.state === 'open' && lead.follow_up_at === null
    const dueAt = isWaiting ? lead.due_at : replyDueAt(at).toISOString()
    const due = { due_at: dueAt, first_due_at: lead.first_due_at ?? lead.due_at }
    const set = { ...due, state: 'open', follow_up_at: null, replied_at: at.toISOString() } as const
    const event = { what: 'reply', ...columns } as const
    await applyDecision(transaction, lead, { set, event, found: message.found }, { at, who })
    await queueReplyNotices(transaction, lead, columns.key, { env, at })
  }

  return takeIn
}

/** What a message is found by, with the names of its files. */
const withFiles = (found: SearchText, attachments: readonly string[]): SearchText =>
  addFound(found, foundIn(fileNames(attachments).join(', ')), '')

/**
 * Whether a list has to name the lead. A program's message is news if it passes on somebody's
 * words. What somebody writes about spam may come from the person in whose name it was sent. So
 * that spam can't fill the lists, only the first message is news since an owner has looked at the
 * spam, or decided that it is spam.
 */
async function isMinorNews(
  transaction: Database,
  { id, state, seen_at }: StoredLead,
  { isAutomatic, isAutoReply, written }: Belonging,
): Promise<boolean> {
  if (isAutomatic) return !isAutoReply && written !== '' && state !== 'spam'
  if (seen_at !== null) return true
  const last = await transaction
    .selectFrom('lead_events')
    .select('what')
    .where('lead_id', '=', id)
    .where('what', 'in', ['reply', 'automatic_reply', 'verdict'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.what === 'verdict'
}
