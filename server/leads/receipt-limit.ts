import type { Database } from '../database/schema.ts'
import { createAcceptedRequests, RECEIPTS } from './accepted-requests.ts'
import { mailboxOf } from './mailbox.ts'

// The daily limit for all receipts (emails that confirm a visitor's request) together. A small agency needs fewer, and even
// a small email account is allowed to send more emails than this.
const MAX_RECEIPTS = 100
const DAY_SECONDS = 24 * 60 * 60

/**
 * Counts a receipt toward the daily limits, in total and per mailbox, so that nobody can use the form to flood mailboxes.
 * Returns false, without counting it, if a limit has been reached.
 */
export async function spendReceipt(db: Database, address: string, now: Date, hash: (text: string) => string) {
  const total = createAcceptedRequests(db, { limit: MAX_RECEIPTS, windowSeconds: DAY_SECONDS })
  const perMailbox = createAcceptedRequests(db, { limit: 1, windowSeconds: DAY_SECONDS })
  const mailbox = `${RECEIPTS} ${hash(mailboxOf(address))}`
  if ((await total.allowance(RECEIPTS, now)).remaining === 0) return false
  if ((await perMailbox.allowance(mailbox, now)).remaining === 0) return false
  await perMailbox.add(mailbox, now)
  await total.add(RECEIPTS, now)
  return true
}
