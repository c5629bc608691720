import type { Database } from '../database/schema.ts'
import type { NewEmail } from '../outbox/email.ts'
import { CLOCKS_AGREE_MS } from './accepted-requests.ts'
import { mailboxOf } from './mailbox.ts'

const DAY_MS = 24 * 60 * 60 * 1000
// The limits for a day. A mailbox gets one, so that nobody can use the form to flood mailboxes. One stranger can't use up
// the day's receipts, neither from one network nor with one domain.
const MAX_TO_MAILBOX = 1
const MAX_FROM_NETWORK = 3
const MAX_TO_DOMAIN = 10
// Bounds the work for each request if EMAILS_A_DAY is large.
const MAX_READ = 200

type Receipt = { recipient: string; client: string }

/**
 * Whether a visitor can get a receipt (an email that confirms a request): counts those queued in the last day, in all (at
 * most `max`), and those to the same mailbox, the same domain and for the same network. `queued` are emails that the caller's
 * transaction is about to queue.
 */
export async function maySendReceipt(
  db: Database,
  { recipient, client }: Receipt,
  { max, now, queued = [] }: { max: number; now: Date; queued?: readonly NewEmail[] },
): Promise<boolean> {
  const stored = await db
    .selectFrom('outbox')
    .select(({ exists, selectFrom }) => [
      'recipient',
      exists(
        selectFrom('accepted_requests')
          .select('name')
          .whereRef('accepted_requests.lead_id', '=', 'outbox.lead_id')
          .where('name', '=', client),
      ).as('isOfNetwork'),
    ])
    .where('kind', '=', 'visitor_receipt')
    .where('queued_at', '>', new Date(now.getTime() - DAY_MS).toISOString())
    .where('queued_at', '<=', new Date(now.getTime() + CLOCKS_AGREE_MS).toISOString())
    .limit(Math.min(max, MAX_READ))
    .execute()
  // The requests of a transaction come from different networks, and none has the mailbox of another.
  const others = queued
    .filter(({ kind }) => kind === 'visitor_receipt')
    .map(({ recipient }) => mailboxOf(recipient))
  const mailboxes = [...stored.map(({ recipient }) => mailboxOf(recipient)), ...others]
  const mailbox = mailboxOf(recipient)
  return (
    mailboxes.length < Math.min(max, MAX_READ) &&
    mailboxes.filter((other) => other === mailbox).length < MAX_TO_MAILBOX &&
    mailboxes.filter((other) => domainOf(other) === domainOf(mailbox)).length < MAX_TO_DOMAIN &&
    stored.filter(({ isOfNetwork }) => isOfNetwork).length < MAX_FROM_NETWORK
  )
}

const domainOf = (mailbox: string) => mailbox.slice(mailbox.lastIndexOf('@'))
