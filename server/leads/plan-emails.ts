import type { Database } from '../database/schema.ts'
import { domainOf, type MailAddress } from '../mail/mailer.ts'
import type { NewEmail } from '../outbox/email.ts'
import { hasSuspectsSince } from '../outbox/enqueue.ts'
import type { NewLead } from './lead-store.ts'
import { spendReceipt } from './receipt-limit.ts'
import { isSuspect } from './spam-score.ts'

// At most this many emails about suspected spam are sent per hour. Small email accounts allow only a few hundred a day.
const MAX_SUSPECTS = 30
const SUSPECTS_WINDOW_MS = 60 * 60 * 1000

export type EmailDeps = {
  mailFrom: MailAddress
  mailTo: readonly string[]
  /** Whether visitors get receipts. */
  sendsReceipts: boolean
  /** The host that leads are posted to, if any. */
  webhookHost?: string | undefined
  /** Hashes the address of a receipt. Only the hash is stored, to count the receipts to that address. */
  keyedHash: (text: string) => string
}

/** The emails and webhook request to queue for a new lead. `queued` are those of other leads in the same transaction. */
export async function planEmails(
  { mailFrom, mailTo, sendsReceipts, webhookHost, keyedHash }: EmailDeps,
  transaction: Database,
  lead: NewLead,
  queued: readonly NewEmail[],
): Promise<NewEmail[]> {
  const domain = domainOf(mailFrom)
  const suspect = isSuspect(lead.spam.score)
  const emails: NewEmail[] = []
  if (!suspect || (await maySendSuspect(transaction, lead.createdAt, queued)))
    for (const [index, recipient] of mailTo.entries())
      emails.push({
        leadId: lead.id,
        kind: 'owner_notice',
        recipient,
        messageId: `<${lead.id}.${index}@${domain}>`,
        isSuspect: suspect,
      })
  if (sendsReceipts && !suspect && (await spendReceipt(transaction, lead.email, lead.createdAt, keyedHash)))
    emails.push({
      leadId: lead.id,
      kind: 'visitor_receipt',
      recipient: lead.email,
      messageId: `<${lead.id}.receipt@${domain}>`,
    })
  if (webhookHost)
    emails.push({
      leadId: lead.id,
      kind: 'webhook',
      recipient: webhookHost,
      messageId: `lead_${lead.id}`,
    })
  return emails
}

/**
 * Whether the owners get a notice about a lead that looks like spam. In a flood of spam, most of it appears only in the
 * digest, to stay within the mail server's daily quota.
 */
async function maySendSuspect(db: Database, now: Date, queued: readonly NewEmail[]): Promise<boolean> {
  const left = MAX_SUSPECTS - queued.filter((email) => email.isSuspect).length
  return left > 0 && !(await hasSuspectsSince(db, left, new Date(now.getTime() - SUSPECTS_WINDOW_MS), now))
}
