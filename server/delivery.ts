import { digestMail } from './digest/digest-mail.ts'
import type { LeadStore } from './leads/lead-store.ts'
import { ownerNotice } from './leads/owner-notice.ts'
import { visitorReceipt } from './leads/visitor-receipt.ts'
import type { MailAddress, Mailer } from './mail/mailer.ts'
import type { Deliver } from './outbox/attempt.ts'
import type { Job } from './outbox/email.ts'

type Deps = {
  leads: LeadStore
  mailer: Mailer
  mailFrom: MailAddress
  siteUrl: string
}

/** How each kind of email in the outbox is written and sent. Every attempt writes the same bytes. */
export function createDelivery({ leads, mailer, ...place }: Deps): Deliver {
  async function write(job: Job) {
    switch (job.kind) {
      case 'owner_notice':
        return ownerNotice(await leads.get(aboutLead(job)), job, place)
      case 'visitor_receipt':
        return visitorReceipt(await leads.get(aboutLead(job)), job, place)
      case 'digest':
        return digestMail(contentOf(job), job, place)
      default:
        // Queued by a newer version: it waits for that one.
        throw new Error(`This version cannot write emails of the kind ${job.kind}.`)
    }
  }
  return async (job, signal) => mailer.send(await write(job), signal)
}

function aboutLead({ id, leadId }: Job): string {
  if (leadId === null) throw new Error(`Outbox row ${id} names no lead.`)
  return leadId
}

function contentOf<Content>({ id, content }: Job): Content {
  if (content === null) throw new Error(`Outbox row ${id} has no content.`)
  return JSON.parse(content)
}
