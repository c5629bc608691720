import type { Database } from '../../database/schema.ts'
import type { Email, Reply } from '../../outbox/email.ts'
import type { AnswerContent } from './answer-lead.ts'
import { applyDecision, type StoredLead } from './change-lead.ts'

const MAX_REPLY = 300

/** An answer that was not sent. */
export type FailedAnswer = Email & { leadId: string; content: string }

/**
 * Reopens a lead after its answer has failed for good: the lead returns to the top of the list, with the reason, and the
 * text is a draft again. A lead marked as spam stays spam. Runs in the transaction that records the failure. Doesn't call
 * `lockLead`: an undo may hold the lead's lock while it waits for the email's row, which this transaction has locked, so the
 * two would deadlock.
 */
export async function reopenLead(
  transaction: Database,
  email: FailedAnswer,
  reply: Reply,
  at: Date,
): Promise<void> {
  const lead = await transaction
    .selectFrom('leads')
    .selectAll()
    .where('id', '=', email.leadId)
    .forUpdate()
    .executeTakeFirst()
  if (!lead) return
  const { owner, text, at: answeredAt }: AnswerContent = JSON.parse(email.content)
  const trouble = describeFailure(reply)
  const set = { trouble, ...(lead.state !== 'spam' && reopened(lead, answeredAt)) }
  const event = {
    what: 'answer_failed',
    from_value: lead.state,
    to_value: lead.state === 'spam' ? 'spam' : 'open',
    text: trouble,
    before: null,
  } as const
  await applyDecision(transaction, lead, { set, event }, { at, who: 'server' })
  // If the owner already has a newer draft, that draft is kept.
  await transaction
    .insertInto('lead_drafts')
    .values({ lead_id: lead.id, owner, text, updated_at: at.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The columns of a reopened lead. If the failed answer was its first one, the lead no longer has an answer time. */
const reopened = ({ answered_at }: StoredLead, answeredAt: string) => ({
  state: 'open' as const,
  follow_up_on: null,
  ...(answered_at === answeredAt && { answered_at: null }),
})

/** Why an answer did not arrive, in one sentence or two. */
export function describeFailure({ smtpCode, response, isBounce }: Reply): string {
  const reason = isBounce
    ? 'this mailbox does not exist'
    : smtpCode !== null && smtpCode >= 500
      ? 'the mail server refused it'
      : 'we tried for days, but the mail server did not accept it'
  return `Your answer did not arrive: ${reason}.${quoteReply(response)}`
}

/** What the mail server said, on one line, as a sentence after another. */
export function quoteReply(response: string): string {
  const sentence = response.replace(/\s+/g, ' ').replaceAll('\0', '\ufffd').trim().slice(0, MAX_REPLY)
  return sentence ? ` The mail server said: ${sentence}` : ''
}
