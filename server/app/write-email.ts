import { officeDay } from '#shared/office-time.ts'
import type { Context } from '../context.ts'
import type { EmailKind } from '../database/schema.ts'
import { findConcerns } from '../doctor/concerns.ts'
import { type SignInNews, signInEmail } from '../inbox/sign-in/sign-in-email.ts'
import { answerEmail } from '../leads/answers/answer-email.ts'
import type { AnswerContent } from '../leads/answers/answer-lead.ts'
import { answerTroubleEmail } from '../leads/answers/answer-trouble.ts'
import { readFilesToSend } from '../leads/answers/files.ts'
import { getLead } from '../leads/change/change-lead.ts'
import { hasNoticeRoom, type MailBudget } from '../leads/emails/mail-budget.ts'
import type { NoticeListContent } from '../leads/emails/notice-list.ts'
import { noticeListEmail, readListed } from '../leads/emails/notice-list-email.ts'
import { ownerNotice } from '../leads/emails/owner-notice.ts'
import { isOutdated, visitorReceipt } from '../leads/emails/visitor-receipt.ts'
import { readReply, readUnanswered } from '../leads/emails/written-words.ts'
import { type Lead, readLead, withoutWords } from '../leads/lead-store.ts'
import type { Message, Sender } from '../mail/mailer.ts'
import { type ReplyContent, readQuotable, replyNotice } from '../mailbox/reply-notice.ts'
import { readLongTrouble } from '../mailbox/trouble.ts'
import { mailboxTroubleEmail, type TroubleContent } from '../mailbox/trouble-email.ts'
import type { Email } from '../outbox/email.ts'
import type { Unsent } from '../outbox/outcome.ts'
import { type FollowUpContent, followUpEmail, hasFollowUpAt } from '../reminders/follow-ups.ts'
import { hasNews, type MorningContent, morningEmail } from '../reminders/morning-email.ts'
import { noLists, readMorning } from '../reminders/morning-lists.ts'
import {
  type Reminded,
  type ReminderContent,
  reminderEmail,
  reminderListEmail,
} from '../reminders/reminder-email.ts'
import { allowReminders, stillToRemind } from '../reminders/reminders.ts'

type WriteDeps = Sender &
  Pick<Context, 'db' | 'env' | 'redact' | 'now'> & {
    hasInbox: boolean
    /** Whether the mailbox is read to which visitors reply: see IMAP_URL. */
    hasMailbox?: boolean
    /**
     * If false, reminders that were queued earlier are deleted instead of sent, and the morning
     * email lists no leads.
     */
    sendsReminders: boolean
    /** If false, receipts that still wait are not sent. */
    sendsReceipts: boolean
    budget: MailBudget
  }

/** The email to send, or why it isn't to be sent. */
type Written = Message | Unsent
type Write = (email: Email) => Written | Promise<Written>

/**
 * Creates the function that writes what an email of the outbox says. Each kind has a function that
 * first decides whether the email is still to be sent. It is asked before each attempt, and writes
 * the same bytes every time, unless leads change, or what is wrong with the server. After a mail
 * server has refused the content, the next attempt leaves out the visitors' text.
 */
export function createWriteEmail(deps: WriteDeps) {
  const { db, env, redact, now, sendsReminders, sendsReceipts, budget, ...sender } = deps
  const shown = ({ cause }: Email, lead: Lead) => (cause === 'content' ? withoutWords(lead) : lead)
  const room = { db, budget, now }

  const writers: Partial<Record<EmailKind, Write>> = {
    owner_notice: aboutLead(writeNotice),
    notice_list: writeNoticeList,
    visitor_receipt: aboutLead(writeReceipt),
    answer: aboutLead(writeAnswer),
    answer_copy: aboutLead(writeAnswer),
    answer_trouble: aboutLead((lead, email) => answerTroubleEmail(lead, contentOf(email), email, sender)),
    reminder: writeReminder,
    follow_up: aboutLead(writeFollowUp),
    morning: writeMorning,
    mailbox_trouble: writeMailboxTrouble,
    sign_in: writeSignIn,
  }

  /** Nothing is sent about a lead that was erased. */
  function aboutLead(write: (lead: Lead, email: Email) => Written | Promise<Written>): Write {
    return async (email) => {
      const lead = await readLead(db, required(email, 'leadId'))
      return lead ? write(shown(email, lead), email) : 'not needed'
    }
  }

  async function writeNotice(lead: Lead, email: Email): Promise<Written> {
    if (email.content === null)
      return (await hasNoticeRoom(room, lead, 'request')) ? ownerNotice(lead, email, sender) : 'listed'
    const content: ReplyContent = contentOf(email)
    const reply = await readReply(db, content)
    if (!reply) return 'not needed'
    return (await hasNoticeRoom(room, lead, 'reply')) ? replyNotice(lead, reply, email, sender) : 'listed'
  }

  async function writeReceipt(lead: Lead, email: Email): Promise<Written> {
    // It may have waited for the mail server. An attempt may have arrived, so that somebody answers
    // it: it is not deleted.
    if (!sendsReceipts) return 'turned off'
    if ((await getLead(db, lead.reference)).state !== 'open') return 'decided'
    return isOutdated(lead, now()) ? 'too late' : visitorReceipt(lead, email, sender)
  }

  async function writeAnswer(lead: Lead, email: Email): Promise<Written> {
    const content: AnswerContent = contentOf(email)
    const lastReply = await readQuotable(db, lead.id, content.to ?? lead.email, content.at)
    const files = await readFilesToSend(db, content.files ?? [])
    return answerEmail(lead, content, email, { ...sender, lastReply, files })
  }

  async function writeNoticeList(email: Email): Promise<Written> {
    const content: NoticeListContent = contentOf(email)
    const listed = await readListed(db, content)
    if (listed.length === 0) return 'not needed'
    const shownNews = listed.map((news) => ({ ...news, lead: shown(email, news.lead) }))
    return noticeListEmail(shownNews, content, email, sender)
  }

  async function writeReminder(email: Email): Promise<Written> {
    const content: ReminderContent = contentOf(email)
    const leadIds = content.leadIds ?? [required(email, 'leadId')]
    const leads = sendsReminders ? await stillToRemind(db, leadIds, now()) : []
    const waiting = new Set(leads.map(({ id }) => id))
    const others = leadIds.filter((id) => !waiting.has(id))
    if (others.length > 0) await allowReminders(db, others)
    const reminded: Reminded[] = []
    for (const lead of leads)
      reminded.push({ lead: shown(email, lead), unanswered: await readUnanswered(db, lead) })
    const [first, ...more] = reminded
    if (!first) return 'not needed'
    if (more.length === 0) return reminderEmail(first, content, email, sender)
    return reminderListEmail(reminded, content, email, sender)
  }

  async function writeFollowUp(lead: Lead, email: Email): Promise<Written> {
    const content: FollowUpContent = contentOf(email)
    if (!sendsReminders || !(await hasFollowUpAt(db, lead.id, content))) return 'not needed'
    return followUpEmail({ lead, unanswered: await readUnanswered(db, lead) }, content, email, sender)
  }

  async function writeMorning(email: Email): Promise<Written> {
    const content: MorningContent = contentOf(email)
    // The next email says what is left of an earlier day.
    const isOfToday = officeDay(now()) === officeDay(new Date(content.at))
    if (!content.week && !isOfToday) return 'not needed'
    const show = (lead: Lead) => shown(email, lead)
    const lists =
      sendsReminders && content.hasLists && isOfToday
        ? await readMorning(db, { owner: email.recipient, at: new Date(content.at), show })
        : noLists
    // Not as of now: an outage that delays this email alone is no news.
    const news = { ...content, ...(await findConcerns({ db, env, redact }, new Date(email.queuedAt))) }
    return hasNews(news, lists) ? morningEmail(lists, news, email, sender) : 'not needed'
  }

  /** Meanwhile, the mailbox may be readable again, or no longer set. */
  async function writeMailboxTrouble(email: Email): Promise<Written> {
    const content: TroubleContent = contentOf(email)
    if ((await readLongTrouble(db, env, now()))?.since !== content.trouble.since) return 'not needed'
    return mailboxTroubleEmail(content, email, sender)
  }

  function writeSignIn(email: Email): Written {
    const news: SignInNews = contentOf(email)
    return Date.parse(news.endsAt) <= now().getTime() ? 'too late' : signInEmail(news, email, sender)
  }

  return async function writeEmail(email: Email): Promise<Written> {
    const write = writers[email.kind]
    // A newer version queued it. After this error, it stays in the queue until a server of that
    // version sends it.
    if (!write) throw new Error(`This version cannot write emails of kind ${email.kind}.`)
    return write(email)
  }
}

/** What the email says. Its type is that of the email's kind. */
const contentOf = (email: Email) => JSON.parse(required(email, 'content'))

function required(email: Email, field: 'leadId' | 'content'): string {
  const value = email[field]
  if (value === null) throw new Error(`Outbox row ${email.id} has no ${field}.`)
  return value
}
