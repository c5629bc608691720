import { type Alert, postAlert } from './alerts/post-alert.ts'
import { digestMail } from './digest/digest-mail.ts'
import type { LeadStore } from './leads/lead-store.ts'
import { ownerNotice } from './leads/owner-notice.ts'
import { visitorReceipt } from './leads/visitor-receipt.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Job } from './outbox/outbox-store.ts'

type Deps = {
  leads: LeadStore
  mailer: Mailer
  mailFrom: string
  siteUrl: string
  alertUrl?: string | undefined
}

/** How each kind of message in the outbox is written and where it goes. Every attempt writes the same bytes. */
export function createDelivery({ leads, mailer, alertUrl, ...place }: Deps) {
  return async function deliver(job: Job, signal: AbortSignal): Promise<string> {
    switch (job.kind) {
      case 'owner_notice':
        return mailer.send(ownerNotice(await leads.get(aboutLead(job)), job, place), signal)
      case 'visitor_receipt':
        return mailer.send(visitorReceipt(await leads.get(aboutLead(job)), job, place), signal)
      case 'digest':
        return mailer.send(digestMail(contentOf(job), job, place), signal)
      case 'alert':
        return postAlert(alertUrl, contentOf<Alert>(job), signal)
    }
  }
}

function aboutLead({ id, leadId }: Job): string {
  if (leadId === null) throw new Error(`Outbox row ${id} names no lead.`)
  return leadId
}

function contentOf<Content>({ id, content }: Job): Content {
  if (content === null) throw new Error(`Outbox row ${id} has no content.`)
  return JSON.parse(content)
}
