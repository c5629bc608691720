import { digestEmail } from './digest/digest-email.ts'
import type { DigestFacts } from './digest/digest-facts.ts'
import { listedIn } from './digest/digest-lists.ts'
import { answerCopy, answerEmail } from './inbox/leads/answer-email.ts'
import { type SignInNews, signInEmail } from './inbox/sign-in/sign-in-email.ts'
import type { Lead, LeadStore } from './leads/lead-store.ts'
import { ownerNotice } from './leads/owner-notice.ts'
import { isOutdated, visitorReceipt } from './leads/visitor-receipt.ts'
import type { MailAddress, Mailer } from './mail/mailer.ts'
import { TooLate } from './mail/send-error.ts'
import type { Deliver } from './outbox/attempt.ts'
import type { Job } from './outbox/email.ts'

type Deps = {
  leads: LeadStore
  mailer: Mailer
  mailFrom: MailAddress
  siteUrl: string
  hasInbox: boolean
  now: () => Date
}

/** Writes and sends each kind of email in the outbox. Every attempt produces the same bytes. */
export function createDelivery({ leads, mailer, now, ...sender }: Deps): Deliver {
  async function compose(job: Job) {
    switch (job.kind) {
      case 'owner_notice':
        return ownerNotice(await leads.get(required(job, 'leadId')), job, sender)
      case 'visitor_receipt':
        return visitorReceipt(notTooLate(await leads.get(required(job, 'leadId'))), job, sender)
      case 'answer':
        return answerEmail(
          await leads.get(required(job, 'leadId')),
          JSON.parse(required(job, 'content')),
          job,
          sender,
        )
      case 'answer_copy':
        return answerCopy(
          await leads.get(required(job, 'leadId')),
          JSON.parse(required(job, 'content')),
          job,
          sender,
        )
      case 'digest':
        return writeDigest(JSON.parse(required(job, 'content')), job)
      case 'sign_in':
        return signInEmail(notEnded(JSON.parse(required(job, 'content'))), job, sender)
      default:
        // A newer version queued it, and will send it.
        throw new Error(`This version cannot write emails of the kind ${job.kind}.`)
    }
  }

  async function writeDigest(facts: DigestFacts, job: Job) {
    return digestEmail(facts, await leads.withReferences(listedIn(facts)), job, sender)
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
