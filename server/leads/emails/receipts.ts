import { sql } from 'kysely'
import { prepared } from '../../database/prepared.ts'
import type { Database } from '../../database/schema.ts'
import type { MailAddress } from '../../mail/mailer.ts'
import { domainOf, type NewEmail } from '../../outbox/email.ts'
import { CLOCKS_AGREE_MS, MAX_RECEIPTS } from './mail-budget.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// The limits on receipts for a day. An address gets one, so that nobody can use the form to flood
// mailboxes. One stranger can't use up the day's receipts, neither from one network nor with one
// domain.
const MAX_FROM_NETWORK = 3
const MAX_TO_DOMAIN = 10

/** The email that confirms a request to the visitor. */
export const receiptOf = ({ id, email }: { id: string; email: string }, mailFrom: MailAddress): NewEmail => ({
  leadId: id,
  kind: 'visitor_receipt',
  recipient: email,
  messageId: `<${id}.receipt@${domainOf(mailFrom)}>`,
})

const selectReceipts = prepared((db, { since, until }: { since: string; until: string }) =>
  db
    .selectFrom('outbox')
    .innerJoin('leads', 'leads.id', 'outbox.lead_id')
    .select(['recipient', 'client'])
    .where('kind', '=', sql.lit('visitor_receipt'))
    .where('queued_at', '>', since)
    .where('queued_at', '<=', until)
    .limit(sql.lit(MAX_RECEIPTS)),
)

/**
 * Whether a visitor can get a receipt: counts those queued in the last day, in all (at most `max`),
 * and those to the same address, to the same domain and for the same network (`client`). Lock the
 * address first. On PostgreSQL, requests at the same moment can exceed the limits for a domain and
 * in all, by one each.
 */
export async function maySendReceipt(
  db: Database,
  { email, client }: { email: string; client: string },
  max: number,
  now: Date,
): Promise<boolean> {
  const at = (ms: number) => new Date(now.getTime() + ms).toISOString()
  const { rows: sent } = await selectReceipts(db, { since: at(-DAY_MS), until: at(CLOCKS_AGREE_MS) })
  const address = email.toLowerCase()
  const addresses = sent.map((receipt) => receipt.recipient.toLowerCase())
  return (
    sent.length < max &&
    !addresses.includes(address) &&
    addresses.filter((other) => other.endsWith(`@${domainOf({ address })}`)).length < MAX_TO_DOMAIN &&
    sent.filter((receipt) => receipt.client === client).length < MAX_FROM_NETWORK
  )
}

/** The lock that a transaction needs before `maySendReceipt`. */
export const receiptLock = (recipient: string): string => `receipt ${recipient.toLowerCase()}`
