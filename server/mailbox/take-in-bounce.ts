import type { Context } from '../context.ts'
import type { Database, StoredMessage } from '../database/schema.ts'
import { type FailedEmail, handleFailedAnswer, warningIdOf } from '../leads/answers/answer-trouble.ts'
import { lockOf } from '../leads/change/change-lead.ts'
import { withoutCut } from '../leads/messages/message-text.ts'
import { domainOf } from '../outbox/email.ts'
import { isNoMailbox } from '../outbox/outcome.ts'
import { noteReturned } from './arrivals.ts'
import { leadOfSent } from './find-lead.ts'
import { type KnownLead, latestFor, ofReference } from './lead-queries.ts'
import { hashOf } from './message-ids.ts'
import type { Bounce } from './read-bounce.ts'
import type { MailMessage } from './read-message.ts'
import type { RecordMessage } from './record-message.ts'

type Report = Pick<MailMessage, 'messageId' | 'receivedAt'>

/**
 * Creates a function that does, for an email which comes back later, what happens if the mail
 * server refuses it at once: see `OutboxStore.record`. Anybody can write a report, so it counts
 * only if it is about an email that we have sent, to the recipient that it names, and nothing of
 * its text is shown.
 */
export function createTakeInBounce({ db, write, now, env }: Context) {
  return async function takeInBounce(bounce: Bounce, { messageId, receivedAt }: Report): Promise<void> {
    await noteReturned(db, bounce)
    const addresses = bounce.failed.map(({ address }) => address)
    const known = await leadOfSent(db, bounce.messageId, addresses)
    // Some mail services, such as Amazon SES, change the Message-ID of what we send.
    const lead = known ?? (await ofReference(db, bounce.subject))
    if (!lead) return
    const report = hashOf(messageId)
    const record = async (transaction: Database) => {
      if (await isReadBefore(transaction, lead, report)) return
      const found = known
        ? ((await findSent(transaction, lead, bounce, bounce.messageId)) ??
          (await findOwnersAnswer(transaction, lead, bounce)))
        : await findSent(transaction, lead, bounce, undefined, receivedAt)
      if (!found) return
      const { email, status } = found
      const outcome = isNoMailbox(status) ? 'bounced' : 'failed'
      const smtpCode = status.startsWith('4') ? null : 550
      const reply = { smtpCode, response: status && `status ${status}` }
      const at = now()
      if (email.id !== undefined) await recordFailure(transaction, email.id, { reply, at, outcome })
      await handleFailedAnswer(transaction, email, { reply, at, outcome, owners: env.MAIL_TO, report })
    }
    await write(record, [lockOf(lead.reference)])
  }

  /**
   * An owner's answer from an email program; undefined if there is none, or if it has come back
   * before.
   */
  async function findOwnersAnswer(transaction: Database, lead: KnownLead, { messageId, failed }: Bounce) {
    const answer = await transaction
      .selectFrom('lead_events')
      .where('lead_id', '=', lead.id)
      .select(['id', 'who as owner', 'text', 'at', 'received'])
      .where((event) => event.and({ message_hash: hashOf(messageId), what: 'answered_by_mail' }))
      .executeTakeFirst()
    if (!answer) return undefined
    const { received, id, ...content } = answer
    const { to = [lead.email.toLowerCase()] }: StoredMessage = JSON.parse(String(received))
    const failure = failed.find(({ address }) => to.includes(address))
    if (!failure) return undefined
    const email: FailedEmail & { id?: number } = {
      ...ownersEmail(lead, content, id, env),
      recipient: failure.address,
    }
    const warning = { lead_id: lead.id, message_id: warningIdOf(email) }
    const told = transaction.selectFrom('outbox').select('id')
    if (await told.where((row) => row.and(warning)).executeTakeFirst()) return undefined
    return { email, status: failure.status }
  }
}

/**
 * Records that an owner's email program has sent an answer to herself: see `findStrayed`. To the
 * owner, it failed like one that came back.
 */
export const takeInStrayed: RecordMessage = async (
  transaction,
  lead,
  { messageId, written },
  { who: owner, at, env },
) => {
  if (lead.state !== 'open') return
  const report = hashOf(messageId)
  const email = ownersEmail(lead, { owner, text: written, at: at.toISOString() }, report, env)
  await handleFailedAnswer(transaction, email, {
    reply: { smtpCode: null, response: '' },
    at,
    outcome: 'failed',
    owners: env.MAIL_TO,
    report,
    why: 'Your answer did not arrive: your email program sent it to yourself.',
  })
}

/** An email of an owner, as if we had sent it. `id`: of this one. */
const ownersEmail = (
  lead: KnownLead,
  answer: { owner: string; text: string | null; at: string },
  id: string | number,
  env: Context['env'],
): FailedEmail => ({
  kind: 'answer',
  leadId: lead.id,
  content: JSON.stringify({ ...answer, text: answer.text && withoutCut(answer.text) }),
  recipient: lead.email,
  queuedAt: answer.at,
  messageId: `<${lead.id}.${id}.answer@${domainOf(env.MAIL_FROM)}>`,
  attempts: 1,
})

/**
 * Whether a report was read before: once it's in another folder, it must not count for a later
 * answer.
 */
async function isReadBefore(transaction: Database, { id }: KnownLead, report: string): Promise<boolean> {
  const events = transaction.selectFrom('lead_events').select('id')
  const isSame = { lead_id: id, what: 'answer_failed', message_hash: report } as const
  return (await events.where((event) => event.and(isSame)).executeTakeFirst()) !== undefined
}

/**
 * The email to the visitor that came back, by default the newest to the report's recipient that had
 * been queued when the report came, and why.
 */
async function findSent(
  transaction: Database,
  { id }: KnownLead,
  { failed }: Bounce,
  messageId?: string,
  receivedAt?: string,
) {
  const emails = await transaction
    .selectFrom('outbox')
    .select(['id', 'kind', 'lead_id as leadId', 'content', 'recipient', 'attempts'])
    .select(['queued_at as queuedAt', 'message_id as messageId', 'state'])
    .where((email) => email.and({ lead_id: id, ...(messageId && { message_id: messageId }) }))
    .where('kind', 'in', ['answer', 'visitor_receipt'])
    .where('queued_at', '<=', latestFor(receivedAt))
    .orderBy('id', 'desc')
    .execute()
  for (const email of emails) {
    const failure = failed.find(({ address }) => address === email.recipient.toLowerCase())
    if (failure) return email.state === 'sent' ? { email, status: failure.status } : undefined
  }
  return undefined
}

async function recordFailure(
  transaction: Database,
  id: number,
  { reply, at, outcome }: { reply: { response: string }; at: Date; outcome: 'bounced' | 'failed' },
): Promise<void> {
  await transaction
    .updateTable('outbox')
    .set({ state: 'failed', cause: 'recipient' })
    .where('id', '=', id)
    .execute()
  await transaction
    .insertInto('outbox_attempts')
    .values({
      outbox_id: id,
      at: at.toISOString(),
      smtp_code: null,
      response: `Returned later: ${reply.response}`,
      outcome,
    })
    .execute()
}
