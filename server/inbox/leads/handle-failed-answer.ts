import type { Database } from '../../database/schema.ts'
import { isStuck } from '../../outbox/backlog.ts'
import type { Email, Reply } from '../../outbox/email.ts'
import { enqueue } from '../../outbox/enqueue.ts'
import type { AnswerContent } from './answer-lead.ts'
import type { AnswerTrouble } from './answer-trouble-email.ts'
import { describeFailure, type FailedAnswer, quoteReply, reopenLead } from './reopen-lead.ts'

type Failure = { reply: Reply; at: Date; willRetry: boolean }

/**
 * Tells the author of an answer by email that it did not arrive, or that it is stuck. If it failed for good, also reopens the
 * lead. Runs in the transaction that records the failure.
 */
export async function handleFailedAnswer(
  transaction: Database,
  email: Email,
  failure: Failure,
): Promise<void> {
  if (!isAnswer(email)) return
  const { reply, at, willRetry } = failure
  if (!willRetry) await reopenLead(transaction, email, reply, at)
  if (!willRetry || isStuck(email.attempts, reply.cause ?? 'server'))
    await tellAuthor(transaction, email, failure)
}

const isAnswer = (email: Email): email is FailedAnswer =>
  email.kind === 'answer' && email.leadId !== null && email.content !== null

async function tellAuthor(
  transaction: Database,
  { leadId, content, recipient, messageId, queuedAt }: FailedAnswer,
  { reply, at, willRetry }: Failure,
): Promise<void> {
  const { owner }: AnswerContent = JSON.parse(content)
  const trouble: AnswerTrouble = {
    at: at.toISOString(),
    address: recipient,
    reason: willRetry ? quoteReply(reply.response).trim() : describeFailure(reply),
    stuckSince: willRetry ? queuedAt : null,
  }
  const email = {
    leadId,
    kind: 'answer_trouble' as const,
    recipient: owner,
    messageId: messageId.replace('.answer@', willRetry ? '.stuck@' : '.failed@'),
    content: JSON.stringify(trouble),
  }
  if (!(await isQueued(transaction, email))) await enqueue(transaction, [email], at)
}

/** Whether the author was already told: each further attempt at a stuck answer fails, too. */
async function isQueued(
  transaction: Database,
  { leadId, messageId }: { leadId: string; messageId: string },
): Promise<boolean> {
  const earlier = await transaction
    .selectFrom('outbox')
    .select('id')
    .where('lead_id', '=', leadId)
    .where('message_id', '=', messageId)
    .executeTakeFirst()
  return earlier !== undefined
}
