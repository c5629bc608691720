import type { LeadStatus } from '#shared/inbox/lead-changes.ts'
import type { Context } from '../../context.ts'
import type { Database } from '../../database/schema.ts'
import { enqueue } from '../../outbox/enqueue.ts'
import { conflict, getLead, lockOf, type StoredLead } from '../change/change-lead.ts'
import type { MailBudget } from '../emails/mail-budget.ts'
import { maySendReceipt, receiptLock, receiptOf } from '../emails/receipts.ts'
import { isOutdated } from '../emails/visitor-receipt.ts'
import { isOpenSuspect } from '../lead-store.ts'

type Deps = Pick<Context, 'db' | 'write' | 'now' | 'env'> & { budget: Pick<MailBudget, 'receipts'> }

/**
 * Queues a receipt (an email that confirms the request to the visitor) that was withheld because
 * the lead looked like spam. Throws a Problem: `conflict` if the visitor can't get one.
 */
export async function sendReceipt(
  { db, write, now, env, budget }: Deps,
  reference: string,
): Promise<LeadStatus> {
  const { email } = await getLead(db, reference)
  const queue = async (transaction: Database) => {
    const lead = await getLead(transaction, reference)
    const at = now()
    // Not limited by network: the owner has judged this lead.
    const receiver = { email, client: '' }
    if (
      env.VISITOR_RECEIPT === 'off' ||
      // Corrected since it was locked.
      lead.email !== email ||
      !(await canGetReceipt(transaction, lead, at)) ||
      !(await maySendReceipt(transaction, receiver, budget.receipts, at))
    )
      throw conflict(lead, 'This request cannot get a receipt today. Please answer it instead.')
    await enqueue(transaction, [receiptOf(lead, env.MAIL_FROM)], at)
    return { state: lead.state, version: lead.version }
  }
  return write(queue, [lockOf(reference), receiptLock(email)])
}

/**
 * Whether a receipt still makes sense: the lead is open and not a suspect, has none yet, and its
 * promise is not over.
 */
export async function canGetReceipt(
  db: Database,
  lead: Pick<StoredLead, 'id' | 'state' | 'verdict' | 'spam_score' | 'created_at' | 'due_at'>,
  now: Date,
): Promise<boolean> {
  const times = { createdAt: new Date(lead.created_at), dueAt: new Date(lead.due_at) }
  if (lead.state !== 'open' || isOpenSuspect(lead) || isOutdated(times, now)) return false
  const receipt = await db
    .selectFrom('outbox')
    .select('id')
    .where((email) => email.and({ lead_id: lead.id, kind: 'visitor_receipt' }))
    .executeTakeFirst()
  return receipt === undefined
}
