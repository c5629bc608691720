import type { Database } from '../database/schema.ts'
import { domainOf, type MailAddress } from '../mail/mailer.ts'
import type { NewEmail } from '../outbox/email.ts'
import type { MailBudget } from './mail-budget.ts'
import { maySendReceipt } from './receipt-limit.ts'
import { isSuspect } from './spam-score.ts'
import type { Entry } from './store-leads.ts'

export type EmailDeps = {
  mailFrom: MailAddress
  mailTo: readonly string[]
  /** Whether visitors get receipts. */
  sendsReceipts: boolean
  /** The host that leads are posted to, if any. */
  webhookHost?: string | undefined
  budget: Pick<MailBudget, 'receipts'>
}

/** The emails and webhook request to queue for a new lead. `queued` are those of other leads in the same transaction. */
export async function planEmails(
  { mailFrom, mailTo, sendsReceipts, webhookHost, budget }: EmailDeps,
  transaction: Database,
  { lead, names }: Pick<Entry, 'lead' | 'names'>,
  queued: readonly NewEmail[],
): Promise<NewEmail[]> {
  const domain = domainOf(mailFrom)
  const suspect = isSuspect(lead.spam.score)
  const emails: NewEmail[] = mailTo.map((recipient, index) => ({
    leadId: lead.id,
    kind: 'owner_notice',
    recipient,
    messageId: `<${lead.id}.${index}@${domain}>`,
    isSuspect: suspect,
  }))
  const receipt = { recipient: lead.email, client: names.client }
  const limits = { max: budget.receipts, now: lead.createdAt, queued }
  if (sendsReceipts && !suspect && (await maySendReceipt(transaction, receipt, limits)))
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
