import { randomBytes } from 'node:crypto'
import type { Database } from '../database/schema.ts'
import type { Env } from '../env.ts'
import type { MailBudget } from '../leads/emails/mail-budget.ts'
import { noticeAddresses } from '../leads/emails/notice-addresses.ts'
import { maySendReceipt, receiptOf } from '../leads/emails/receipts.ts'
import type { Lead } from '../leads/lead-store.ts'
import { domainOf, type NewEmail } from '../outbox/email.ts'

type NewLead = Pick<Lead, 'id' | 'email' | 'budget' | 'createdAt' | 'spam'> & { client: string }
type Deps = { env: Env; budget: Pick<MailBudget, 'receipts'> }

/** The emails and webhook request to queue for a new lead, in the lead's transaction. */
export async function planEmails(
  { env, budget }: Deps,
  transaction: Database,
  lead: NewLead,
): Promise<NewEmail[]> {
  const { id: leadId, email, client, createdAt, spam } = lead
  // The visitor may know the ID of the lead, from a receipt.
  const random = () => randomBytes(12).toString('hex')
  const emails = noticeAddresses(env, lead).map(
    (recipient, index): NewEmail => ({
      leadId,
      kind: 'owner_notice',
      recipient,
      messageId: `<${leadId}.${random()}.${index}@${domainOf(env.MAIL_FROM)}>`,
      isSuspect: spam.isSuspect,
    }),
  )
  const mayGetReceipt = env.VISITOR_RECEIPT === 'on' && !spam.isSuspect
  if (mayGetReceipt && (await maySendReceipt(transaction, { email, client }, budget.receipts, createdAt)))
    emails.push(receiptOf({ id: leadId, email }, env.MAIL_FROM))
  if (env.webhook) {
    const recipient = new URL(env.webhook.url).host
    emails.push({ leadId, kind: 'webhook', recipient, messageId: `lead_${leadId}` })
  }
  return emails
}
