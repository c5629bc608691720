import type { Database } from './database/schema.ts'
import { digestEmail } from './digest/digest-email.ts'
import type { DigestFacts } from './digest/digest-facts.ts'
import { listedIn } from './digest/digest-lists.ts'
import { answerCopy, answerEmail } from './inbox/leads/answer-email.ts'
import { answerTroubleEmail } from './inbox/leads/answer-trouble-email.ts'
import { type SignInNews, signInEmail } from './inbox/sign-in/sign-in-email.ts'
import { createLeadStore, type Lead, withoutWords } from './leads/lead-store.ts'
import { countReminders, hasRoom, type MailBudget, readNoticed } from './leads/mail-budget.ts'
import { type NoticeListContent, readListed } from './leads/notice-list.ts'
import { noticeListEmail } from './leads/notice-list-email.ts'
import { ownerNotice } from './leads/owner-notice.ts'
import { isSuspect } from './leads/spam-score.ts'
import { isOutdated, visitorReceipt } from './leads/visitor-receipt.ts'
import type { MailAddress, Mailer } from './mail/mailer.ts'
import { Listed, NotNeeded, TooLate } from './mail/send-error.ts'
import type { Deliver } from './outbox/attempt.ts'
import type { Job } from './outbox/email.ts'
import { readLateLeads } from './reminders/late-leads.ts'
import { type LateListContent, lateListEmail } from './reminders/late-list-email.ts'
import { hasOtherReminder, needsReminder } from './reminders/needed-reminders.ts'
import { reminderEmail } from './reminders/reminder-email.ts'

// A list of late leads is for the day when it was queued. A day later, the office has opened again, with a new list, or is
// closed.
const LATE_LIST_LASTS_MS = 24 * 60 * 60 * 1000

type Deps = {
  db: Database
  mailer: Mailer
  mailFrom: MailAddress
  siteUrl: string
  hasInbox: boolean
  /** If false, reminders and lists of late leads that were queued earlier are deleted instead of sent. */
  sendsReminders: boolean
  budget: MailBudget
  now: () => Date
}

/**
 * Writes and sends the emails in the outbox. All attempts at one email send the same bytes, unless leads change. After a mail
 * server has refused the content, the next attempt leaves out the visitors' text.
 */
export function createDelivery({ db, mailer, sendsReminders, budget, now, ...sender }: Deps): Deliver {
  const leads = createLeadStore(db)
  const shown = ({ cause }: Job, lead: Lead) => (cause === 'content' ? withoutWords(lead) : lead)
  const readLead = async (job: Job) => shown(job, await leads.get(required(job, 'leadId')))

  async function compose(job: Job) {
    switch (job.kind) {
      case 'owner_notice':
        return ownerNotice(await withinBudget(job), job, sender)
      case 'notice_list':
        return composeNoticeList(job, JSON.parse(required(job, 'content')))
      case 'visitor_receipt':
        return visitorReceipt(notTooLate(await leads.get(required(job, 'leadId'))), job, sender)
      case 'answer':
        return answerEmail(await readLead(job), JSON.parse(required(job, 'content')), job, sender)
      case 'answer_copy':
        return answerCopy(await readLead(job), JSON.parse(required(job, 'content')), job, sender)
      case 'answer_trouble':
        return answerTroubleEmail(await readLead(job), JSON.parse(required(job, 'content')), job, sender)
      case 'reminder':
        return reminderEmail(
          await stillWaiting(required(job, 'leadId'), job),
          JSON.parse(required(job, 'content')),
          job,
          sender,
        )
      case 'late_list':
        return composeLateList(job, JSON.parse(required(job, 'content')))
      case 'digest':
        return writeDigest(JSON.parse(required(job, 'content')), job)
      case 'sign_in':
        return signInEmail(notEnded(JSON.parse(required(job, 'content'))), job, sender)
      default:
        // A newer version queued it. After this error, it stays in the queue until a server of that version sends it.
        throw new Error(`This version cannot write emails of kind ${job.kind}.`)
    }
  }

  /** Throws `Listed` if the mail budget has no room for a notice of its own. */
  async function withinBudget(job: Job): Promise<Lead> {
    const lead = await readLead(job)
    if (budget.noticedLeads === Infinity) return lead
    if (!hasRoom(budget, await readNoticed(db, lead.id, now()), isSuspect(lead.spam.score)))
      throw new Listed()
    return lead
  }

  async function composeNoticeList(job: Job, content: NoticeListContent) {
    const listed = await readListed(db, content)
    if (listed.length === 0) throw new NotNeeded('Nobody in the list is waiting anymore.')
    return noticeListEmail(
      listed.map((lead) => shown(job, lead)),
      content,
      job,
      sender,
    )
  }

  /**
   * Throws `NotNeeded` if the reminder is no longer needed, or `Listed` if the mail budget has no room for it. This is
   * checked before each attempt, so only a reminder that is already being sent can still arrive after the lead has been
   * answered.
   */
  async function stillWaiting(leadId: string, job: Job): Promise<Lead> {
    const lead = await readLead(job)
    if (!sendsReminders || !(await needsReminder(db, leadId, now())))
      throw new NotNeeded('The lead no longer needs a reminder.')
    if (await hasOtherReminder(db, leadId, job)) throw new NotNeeded('This owner has another reminder.')
    if ((await countReminders(db, now())) >= budget.reminders) throw new Listed()
    return lead
  }

  async function composeLateList(job: Job, content: LateListContent) {
    const opened = new Date(content.opened)
    const late = await readLateLeads(db, opened)
    if (!sendsReminders || late.count === 0 || now().getTime() >= opened.getTime() + LATE_LIST_LASTS_MS)
      throw new NotNeeded('The list of late leads is no longer needed.')
    const listed = late.listed.map((lead) => shown(job, lead))
    return lateListEmail({ ...late, listed }, content, job, sender)
  }

  async function writeDigest(facts: DigestFacts, job: Job) {
    const listed = await leads.withReferences(listedIn(facts))
    const shownLeads = new Map([...listed].map(([reference, lead]) => [reference, shown(job, lead)]))
    return digestEmail(facts, shownLeads, job, sender)
  }

  function notTooLate(lead: Lead): Lead {
    if (isOutdated(lead, now())) throw new TooLate('Too late to send: it promises a time that has passed.')
    return lead
  }

  function notEnded(news: SignInNews): SignInNews {
    if (Date.parse(news.endsAt) <= now().getTime()) throw new TooLate('Too late to send: it is out of date.')
    return news
  }

  return async (job, signal) => mailer.send(await compose(job), signal)
}

function required(job: Job, field: 'leadId' | 'content'): string {
  const value = job[field]
  if (value === null) throw new Error(`Outbox row ${job.id} has no ${field}.`)
  return value
}
