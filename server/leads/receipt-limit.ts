import type { Database } from '../database/schema.ts'
import { createAcceptedRequests, RECEIPTS } from './accepted-requests.ts'
import { mailboxOf } from './mailbox.ts'

// More than a small agency has requests, and no more than a small mail account may send.
const MOST_RECEIPTS = 100
const DAY_SECONDS = 24 * 60 * 60

/**
 * Takes one receipt out of what a mailbox, and all together, may get in a day; false where nothing is left. The form must
 * be of no use for flooding somebody's mailbox, or many. Stores a keyed hash, no address.
 */
export async function spendReceipt(db: Database, address: string, now: Date, hash: (text: string) => string) {
  const ofAll = createAcceptedRequests(db, { limit: MOST_RECEIPTS, windowSeconds: DAY_SECONDS })
  const ofMailbox = createAcceptedRequests(db, { limit: 1, windowSeconds: DAY_SECONDS })
  const mailbox = `${RECEIPTS} ${hash(mailboxOf(address))}`
  if ((await ofMailbox.allowance(mailbox, now)).remaining === 0) return false
  if ((await ofAll.allowance(RECEIPTS, now)).remaining === 0) return false
  await ofMailbox.add(mailbox, now)
  await ofAll.add(RECEIPTS, now)
  return true
}
