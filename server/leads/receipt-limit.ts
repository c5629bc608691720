import type { Database } from '../database/schema.ts'
import { createAcceptedRequests, RECEIPTS } from './accepted-requests.ts'
import { mailboxOf } from './mailbox.ts'

// More than a small agency needs, and no more than a small email account may send.
const MAX_RECEIPTS = 100
const DAY_SECONDS = 24 * 60 * 60

/**
 * Spends one receipt of the daily limits, for this mailbox and in total; false if a limit is reached. Prevents abuse of the
 * form to flood other people's mailboxes. Stores a keyed hash, no address.
 */
export async function spendReceipt(db: Database, address: string, now: Date, hash: (text: string) => string) {
  const ofAll = createAcceptedRequests(db, { limit: MAX_RECEIPTS, windowSeconds: DAY_SECONDS })
  const ofMailbox = createAcceptedRequests(db, { limit: 1, windowSeconds: DAY_SECONDS })
  const mailbox = `${RECEIPTS} ${hash(mailboxOf(address))}`
  if ((await ofMailbox.allowance(mailbox, now)).remaining === 0) return false
  if ((await ofAll.allowance(RECEIPTS, now)).remaining === 0) return false
  await ofMailbox.add(mailbox, now)
  await ofAll.add(RECEIPTS, now)
  return true
}
