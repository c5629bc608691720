import type { LeadStatus } from '#shared/inbox/lead.ts'
import { lockNames } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import type { MailBudget } from '../../leads/mail-budget.ts'
import { maySendReceipt, receiptLock, receiptOf } from '../../leads/plan-emails.ts'
import { isOpenSuspect } from '../../leads/spam-score.ts'
import { isOutdated } from '../../leads/visitor-receipt.ts'
import type { MailAddress } from '../../mail/mailer.ts'
import { enqueue } from '../../outbox/enqueue.ts'
import { type ChangeDeps, conflict, lockLead, type StoredLead } from './change-lead.ts'

type Deps = ChangeDeps & {
  mailFrom: MailAddress
  /** Whether visitors get receipts (`VISITOR_RECEIPT`). */
  sendsReceipts: boolean
  budget: Pick<MailBudget, 'receipts'>
  onQueued: () => void
}

/**
 * Queues a receipt (an email that confirms the request to the visitor) that was withheld because the lead looked like spam.
 * If the visitor can't get one, throws a Problem: `conflict` with the reason.
 */
export async function sendReceipt(deps: Deps, reference: string): Promise<LeadStatus> {
  const { write, now, mailFrom, sendsReceipts, budget, onQueued } = deps
  const status = await write(async (transaction) => {
    const lead = await lockLead(transaction, reference)
    await lockNames(transaction, [receiptLock(lead.email)])
    const at = now()
    const obstacle = sendsReceipts
      ? whyNoReceipt(lead, await hasReceipt(transaction, lead), at)
      : 'This site sends no receipts (VISITOR_RECEIPT is off).'
    if (obstacle) throw conflict(lead, obstacle)
    // Not limited by network: the owner has judged this lead.
    const receiver = { recipient: lead.email, client: '' }
    if (!(await maySendReceipt(transaction, receiver, budget.receipts, at)))
      throw conflict(lead, 'The daily limit on receipts has been reached. Please answer the request instead.')
    await enqueue(transaction, [receiptOf(lead, mailFrom)], at)
    return { state: lead.state, version: lead.version }
  })
  onQueued()
  return status
}

type Receivable = Pick<StoredLead, 'state' | 'verdict' | 'spam_score' | 'created_at' | 'due_at'>

/** Why the lead can't get a receipt, apart from limits and settings; undefined if it can. */
export function whyNoReceipt(lead: Receivable, hasReceipt: boolean, now: Date): string | undefined {
  if (lead.state === 'spam' || isOpenSuspect(lead)) return 'Mark this lead as not spam first.'
  if (lead.state !== 'open') return 'A receipt promises an answer, and this request is no longer open.'
  if (isOutdated({ createdAt: new Date(lead.created_at), dueAt: new Date(lead.due_at) }, now))
    return 'It is too late for a receipt: it would promise times that have passed.'
  return hasReceipt ? 'This visitor already has a receipt.' : undefined
}

async function hasReceipt(db: Database, lead: StoredLead): Promise<boolean> {
  const receipt = await db
    .selectFrom('outbox')
    .select('id')
    .where('lead_id', '=', lead.id)
    .where('kind', '=', 'visitor_receipt')
    .executeTakeFirst()
  return receipt !== undefined
}
