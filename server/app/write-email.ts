import type { Database } from '../database/schema.ts'
import { type SignInNews, signInEmail } from '../inbox/sign-in/sign-in-email.ts'
import { answerEmail } from '../leads/answers/answer-email.ts'
import type { AnswerContent } from '../leads/answers/answer-lead.ts'
import { answerTroubleEmail } from '../leads/answers/answer-trouble.ts'
import { isFirstReply } from '../leads/emails/first-reply.ts'
import { createNoticeRoom, type MailBudget } from '../leads/emails/mail-budget.ts'
import { type NoticeListContent, noticeListEmail, readListed } from '../leads/emails/notice-list.ts'
import { ownerNotice } from '../leads/emails/owner-notice.ts'
import { isOutdated, visitorReceipt } from '../leads/emails/visitor-receipt.ts'
import { type Lead, readLead, withoutWords } from '../leads/lead-store.ts'
import { officeDay } from '../leads/office-time.ts'
import type { Message, Sender } from '../mail/mailer.ts'
import { type ReplyContent, readQuotable, readReply, replyNotice } from '../mailbox/reply-notice.ts'
import { readTrouble } from '../mailbox/trouble.ts'
import { mailboxTroubleEmail, type TroubleContent } from '../mailbox/trouble-email.ts'
import type { Email } from '../outbox/email.ts'
import { Listed, NotNeeded, TooLate } from '../outbox/outcome.ts'
import { hasNews, type MorningContent, morningEmail } from '../reminders/morning-email.ts'
import { noLists, readMorning } from '../reminders/morning-lists.ts'
import { type ReminderContent, reminderEmail, reminderListEmail } from '../reminders/reminder-email.ts'
import { stillToRemind } from '../reminders/reminders.ts'

type WriteDeps = Sender & {
  db: Database
  hasInbox: boolean
  /** Whether the mailbox is read to which visitors reply: see IMAP_URL. */
  hasMailbox?: boolean
  /** If false, reminders that were queued earlier are deleted instead of sent, and the morning email lists no leads. */
  sendsReminders: boolean
  budget: MailBudget
  now: () => Date
}

/**
 * Creates the function that writes what an email of the outbox says. It writes the same bytes for every attempt, unless leads
 * change. After a mail server has refused the content, the next attempt leaves out the visitors' text. Rejects with `Listed`,
 * `NotNeeded` or `TooLate` if the email shouldn't be sent.
 */
export function createWriteEmail({ db, sendsReminders, budget, now, ...sender }: WriteDeps) {
  const shown = ({ cause }: Email, lead: Lead) => (cause === 'content' ? withoutWords(lead) : lead)
  const takeRoom = createNoticeRoom({ db, budget, now })
  const leadOf = async (email: Email) => shown(email, await readLead(db, required(email, 'leadId')))

  async function write(email: Email): Promise<Message> {
    switch (email.kind) {
      case 'owner_notice':
        return email.content === null
          ? ownerNotice(await withinBudget(email), email, sender)
          : replyNotice(await withinBudget(email), await readReply(db, contentOf(email)), email, sender)
      case 'notice_list':
        return writeNoticeList(email, contentOf(email))
      case 'visitor_receipt':
        return visitorReceipt(notTooLate(await leadOf(email)), email, sender)
      case 'answer':
      case 'answer_copy':
        return writeAnswer(email, contentOf(email))
      case 'answer_trouble':
        return answerTroubleEmail(await leadOf(email), contentOf(email), email, sender)
      case 'reminder':
        return writeReminder(email, contentOf(email))
      case 'morning':
        return writeMorning(email, contentOf(email))
      case 'mailbox_trouble':
        return mailboxTroubleEmail(await stillInTrouble(contentOf(email)), email, sender)
      case 'sign_in':
        return signInEmail(notEnded(contentOf(email)), email, sender)
      default:
        // A newer version queued it. After this error, it stays in the queue until a server of that version sends it.
        throw new Error(`This version cannot write emails of kind ${email.kind}.`)
    }
  }

  const isFirst = ({ id }: Lead, { key }: ReplyContent) => isFirstReply(db, id, key)

  /** Throws `Listed` if the mail budget has no room for a notice of its own. */
  async function withinBudget(email: Email): Promise<Lead> {
    const lead = await leadOf(email)
    const reply = email.content === null ? undefined : { isFirst: await isFirst(lead, contentOf(email)) }
    if (!(await takeRoom(lead, reply)))
      throw new Listed('No room in the mail budget. The next list names the lead.')
    return lead
  }

  async function writeAnswer(email: Email, content: AnswerContent) {
    const lead = await leadOf(email)
    const lastReply = await readQuotable(db, lead.id, content.to ?? lead.email, content.at)
    return answerEmail(lead, content, email, { ...sender, lastReply })
  }

  async function writeNoticeList(email: Email, content: NoticeListContent) {
    const listed = await readListed(db, content)
    if (listed.length === 0) throw new NotNeeded('Nobody in the list is waiting anymore.')
    const shownNews = listed.map((news) => ({ ...news, lead: shown(email, news.lead) }))
    return noticeListEmail(shownNews, content, email, sender)
  }

  /**
   * Throws `NotNeeded` if the reminder is no longer needed. This is checked before each attempt, so only a reminder that is
   * already being sent can still arrive after the lead has been answered.
   */
  async function writeReminder(email: Email, content: ReminderContent) {
    const leadIds = email.leadId === null ? (content.leadIds ?? []) : [email.leadId]
    const waiting = sendsReminders ? await stillToRemind(db, leadIds, email.recipient, now()) : []
    const [first, ...others] = waiting.map((lead) => shown(email, lead))
    if (!first) throw new NotNeeded('Nobody needs this reminder anymore.')
    if (others.length === 0) return reminderEmail(first, content, email, sender)
    return reminderListEmail([first, ...others], content, email, sender)
  }

  async function writeMorning(email: Email, content: MorningContent) {
    if (!content.week && officeDay(now()) !== officeDay(new Date(content.at)))
      throw new NotNeeded('The day is over. The next email says what is left.')
    const show = (lead: Lead) => shown(email, lead)
    const lists =
      sendsReminders && content.hasLists
        ? await readMorning(db, { owner: email.recipient, at: new Date(content.at), show })
        : noLists
    if (!hasNews(content, lists)) throw new NotNeeded('There is nothing to say anymore.')
    return morningEmail(lists, content, email, sender)
  }

  /** Throws `NotNeeded` if the mailbox can be read again, or other trouble has come since. */
  async function stillInTrouble(content: TroubleContent): Promise<TroubleContent> {
    if ((await readTrouble(db))?.since === content.trouble.since) return content
    throw new NotNeeded('The mailbox can be read again.')
  }

  function notTooLate(lead: Lead): Lead {
    if (isOutdated(lead, now())) throw new TooLate('Too late to send: it promises a time that has passed.')
    return lead
  }

  function notEnded(news: SignInNews): SignInNews {
    if (Date.parse(news.endsAt) <= now().getTime()) throw new TooLate('Too late to send: it is out of date.')
    return news
  }

  return write
}

/** What the email says. Its type is that of the email's kind. */
const contentOf = (email: Email) => JSON.parse(required(email, 'content'))

function required(email: Email, field: 'leadId' | 'content'): string {
  const value = email[field]
  if (value === null) throw new Error(`Outbox row ${email.id} has no ${field}.`)
  return value
}
