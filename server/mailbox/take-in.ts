import type { Context } from '../context.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { lockLead } from '../leads/change/change-lead.ts'
import { markUnheard } from '../leads/emails/reply-notices.ts'
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
import { type RecordMessage, recordAnswer, recordMinor, recordReply } from './record-message.ts'
import { isReadBefore, isSent, isStored } from './stored-messages.ts'
import { createTakeInBounce, takeInStrayed } from './take-in-bounce.ts'
import { withoutErased, wordsOfOthers } from './without-erased.ts'
import { unfolded, type Words, withSubject, type writtenIn } from './words.ts'

type Deps = Context & {
  /** Reads a message's words in a thread that can be ended: see `openReader`. */
  readWords: (...asked: Parameters<typeof writtenIn>) => Promise<Words> | Words
}

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
    if (strayed) await store(strayed, message, message.from, takeInStrayed)
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

  async function store(
    found: FoundLead,
    incoming: MailMessage,
    who: string,
    record: RecordMessage,
  ): Promise<void> {
    const isAnswer = record === recordAnswer || record === takeInStrayed
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
      await record(transaction, lead, { ...kept, joined: found.joined }, { who, at: now(), env })
    })
  }

  return takeIn
}

/** What a message is found by, with the names of its files. */
const withFiles = (found: SearchText, attachments: readonly string[]): SearchText =>
  addFound(found, foundIn(fileNames(attachments).join(', ')), '')
