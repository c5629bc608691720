import type { Database } from '../database/schema.ts'
import type { MailAddress } from '../mail/mailer.ts'
import type { NewEmail } from '../outbox/email.ts'
import { CLOCKS_AGREE_MS } from './contact-limit.ts'
import type { NewLead } from './lead-store.ts'
import type { MailBudget } from './mail-budget.ts'
import { isSuspect } from './spam-score.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// The limits on receipts for a day. A mailbox gets one, so that nobody can use the form to flood mailboxes. One stranger can't
// use up the day's receipts, neither from one network nor with one domain.
const MAX_TO_MAILBOX = 1
const MAX_FROM_NETWORK = 3
const MAX_TO_DOMAIN = 10
// Bounds the work for each request if EMAILS_A_DAY is large.
const MAX_READ = 200
const GMAIL = ['gmail.com', 'googlemail.com']

export type EmailDeps = {
  mailFrom: MailAddress
  mailTo: readonly string[]
  /** Whether visitors get receipts: emails that confirm their requests. */
  sendsReceipts: boolean
  /** The host that leads are posted to, if any. */
  webhookHost?: string | undefined
  budget: Pick<MailBudget, 'receipts'>
}

/** The emails and webhook request to queue for a new lead, in the lead's transaction. */
export async function planEmails(
  { mailFrom, mailTo, sendsReceipts, webhookHost, budget }: EmailDeps,
  transaction: Database,
  { id: leadId, email, client, createdAt, spam }: NewLead,
): Promise<NewEmail[]> {
  const domain = domainOf(mailFrom.address)
  const suspect = isSuspect(spam.score)
  const notices = mailTo.map((recipient, index) => ({
    leadId,
    kind: 'owner_notice' as const,
    recipient,
    messageId: `<${leadId}.${index}${domain}>`,
    isSuspect: suspect,
  }))
  const receipt = {
    leadId,
    kind: 'visitor_receipt' as const,
    recipient: email,
    messageId: `<${leadId}.receipt${domain}>`,
  }
  const sendsReceipt =
    sendsReceipts &&
    !suspect &&
    (await maySendReceipt(transaction, { recipient: email, client }, budget.receipts, createdAt))
  const post = { leadId, kind: 'webhook' as const, recipient: webhookHost ?? '', messageId: `lead_${leadId}` }
  return [...notices, ...(sendsReceipt ? [receipt] : []), ...(webhookHost ? [post] : [])]
}

/**
 * Whether a visitor can get a receipt: counts those queued in the last day, in all (at most `max`), and those to the same
 * mailbox, to the same domain and for the same network (`client`). Lock the mailbox first.
 */
export async function maySendReceipt(
  db: Database,
  { recipient, client }: { recipient: string; client: string },
  max: number,
  now: Date,
): Promise<boolean> {
  const most = Math.min(max, MAX_READ)
  const sent = await db
    .selectFrom('outbox')
    .innerJoin('leads', 'leads.id', 'outbox.lead_id')
    .select(['recipient', 'client'])
    .where('kind', '=', 'visitor_receipt')
    .where('queued_at', '>', new Date(now.getTime() - DAY_MS).toISOString())
    .where('queued_at', '<=', new Date(now.getTime() + CLOCKS_AGREE_MS).toISOString())
    .limit(most)
    .execute()
  const mailbox = mailboxOf(recipient)
  const mailboxes = sent.map((receipt) => mailboxOf(receipt.recipient))
  return (
    sent.length < most &&
    mailboxes.filter((other) => other === mailbox).length < MAX_TO_MAILBOX &&
    mailboxes.filter((other) => domainOf(other) === domainOf(mailbox)).length < MAX_TO_DOMAIN &&
    sent.filter((receipt) => receipt.client === client).length < MAX_FROM_NETWORK
  )
}

/** The lock that a transaction needs before `maySendReceipt`. */
export const receiptLock = (recipient: string): string => `receipt ${mailboxOf(recipient)}`

/** The canonical form of an address. Use it only for counting, never for sending: it may be someone else's mailbox. */
function mailboxOf(address: string): string {
  const domain = domainOf(address).toLowerCase()
  const name = address
    .slice(0, address.lastIndexOf('@'))
    .toLowerCase()
    .replace(/(?<=.)\+.*$/, '')
  return GMAIL.includes(domain.slice(1)) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}${domain}`
}

/** The part of an address from the `@`. */
const domainOf = (address: string) => address.slice(address.lastIndexOf('@'))
