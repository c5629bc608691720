import { isShared } from '../../database/differences.ts'
import type { Database } from '../../database/schema.ts'
import type { Job, Reply } from '../../outbox/email.ts'
import type { QueuedAnswer } from './answer-content.ts'
import { addEvent } from './lead-events.ts'
import type { StoredLead } from './lock-lead.ts'
import { sortKey } from './sort-key.ts'

const MAX_REPLY = 300

/**
 * Reopens a lead after its answer has failed for good: it is on top of the list, with the reason, and the text is a
 * draft again. Won, lost and spam leads keep their state. Runs in the transaction that records the failure. It must not
 * wait for a named lock, because an undo that holds the lock may be waiting for the email's row.
 */
export async function reopenLead(transaction: Database, job: Job, reply: Reply, at: Date): Promise<void> {
  if (job.kind !== 'answer' || job.content === null) return
  const lead = await transaction
    .selectFrom('leads')
    .selectAll()
    .where('id', '=', String(job.leadId))
    .$if(isShared(transaction), (row) => row.forUpdate())
    .executeTakeFirst()
  if (!lead) return
  const { owner, text, ...answer }: QueuedAnswer = JSON.parse(job.content)
  const time = at.toISOString()
  const trouble = describeFailure(reply)
  const set = { trouble, ...(isClosed(lead) ? {} : reopened(lead, answer.at)) }
  await transaction
    .updateTable('leads')
    .set({ ...set, sort_key: sortKey({ ...lead, ...set }, time), version: lead.version + 1 })
    .where('id', '=', lead.id)
    .execute()
  await addEvent(transaction, {
    lead_id: lead.id,
    at: time,
    who: 'server',
    what: 'answer_failed',
    from_value: lead.state,
    to_value: isClosed(lead) ? lead.state : 'open',
    text: trouble,
  })
  // Keeps what the owner has written since.
  await transaction
    .insertInto('lead_drafts')
    .values({ lead_id: lead.id, owner, text, updated_at: time })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const isClosed = ({ state }: StoredLead) => state === 'won' || state === 'lost' || state === 'spam'

/** The failed answer no longer counts as an answer. */
const reopened = ({ answered_at }: StoredLead, answerAt: string) => ({
  state: 'open' as const,
  follow_up_on: null,
  ...(answered_at === answerAt && { answered_at: null }),
})

function describeFailure({ smtpCode, response, isBounce }: Reply): string {
  const reason = isBounce
    ? 'this mailbox does not exist'
    : smtpCode !== null && smtpCode >= 500
      ? 'the mail server refused it'
      : 'the mail server did not accept it for days'
  const sentence = response.replace(/\s+/g, ' ').replaceAll('\0', '\ufffd').trim().slice(0, MAX_REPLY)
  return `Your answer did not arrive: ${reason}.${sentence ? ` The mail server said: ${sentence}` : ''}`
}
