import { sql } from 'kysely'
import { inboxPath } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Database } from '../../database/schema.ts'
import { buttons, emailBody, heading, indented, paragraph } from '../../mail/email-body.ts'
import { automatic, type Envelope, type Message, type Sender } from '../../mail/mailer.ts'
import { isCorrected, isStuck } from '../../outbox/backlog.ts'
import { type Email, enqueue, type ServerReply } from '../../outbox/email.ts'
import type { Failure } from '../../outbox/outbox-store.ts'
import { filesTrouble } from '../../outbox/outcome.ts'
import { applyDecision } from '../change/change-lead.ts'
import { callLink, replyLink, toSubjectText } from '../emails/owner-notice.ts'
import { hasWords, type Lead } from '../lead-store.ts'
import type { AnswerContent } from './answer-lead.ts'
import { giveFilesBack } from './files.ts'
import { reopened } from './reopened.ts'

const MAX_REPLY = 300

/** Why an answer failed, and when; the address that it went to, and the hash of the bounce's ID. */
type Returned = { reason: string; at: Date; to?: string; report?: string | undefined }
/** `report`: the hash of the Message-ID of the bounce, if it came as one. `why`: in words. */
type More = { owners: readonly string[]; report?: string; why?: string }
type FailedAnswer = Pick<AnswerContent, 'key' | 'owner' | 'text' | 'at' | 'files'>
export type FailedEmail = Pick<
  Email,
  'kind' | 'leadId' | 'content' | 'attempts' | 'recipient' | 'queuedAt' | 'messageId'
>

/**
 * Tells the author of an answer by email that it did not arrive, or that it is stuck; the first
 * owner, if the author is no longer one. If it failed for good, also reopens the lead. Does nothing
 * if an owner has corrected the address since. Runs in the transaction that records the failure.
 */
export async function handleFailedAnswer(
  transaction: Database,
  { kind, leadId, content, attempts, ...email }: FailedEmail,
  { reply, at, outcome, owners, report, why }: Failure & More,
): Promise<void> {
  const willRetry = outcome === 'retry'
  if (kind !== 'answer' || leadId === null || content === null) return
  if (willRetry && !isStuck(attempts, reply.cause ?? 'server')) return
  if (await isAddressCorrected(transaction, leadId, email.recipient)) return
  const answer: FailedAnswer = JSON.parse(content)
  const author = answer.owner.toLowerCase()
  const owner = owners.find((one) => one.toLowerCase() === author) ?? owners[0] ?? answer.owner
  const reason = willRetry
    ? quoteReply(reply)
    : `${why ?? describeFailure(reply, outcome, answer.files)} ${quoteReply(reply)}`.trim()
  const to = email.recipient.toLowerCase()
  if (!willRetry) await reopenLead(transaction, leadId, [{ ...answer, owner }], { reason, at, to, report })
  const trouble: AnswerTrouble = {
    at: at.toISOString(),
    // What went nowhere has no address.
    address: why ? '' : email.recipient,
    reason,
    stuckSince: willRetry ? email.queuedAt : null,
  }
  const warning = {
    leadId,
    kind: 'answer_trouble' as const,
    recipient: owner,
    messageId: willRetry ? email.messageId.replace('.answer@', '.stuck@') : warningIdOf(email),
    content: JSON.stringify(trouble),
  }
  // Each further attempt at a stuck answer fails, too, but its author is told only once.
  const told = await transaction
    .selectFrom('outbox')
    .select('id')
    .where((row) => row.and({ lead_id: leadId, message_id: warning.messageId }))
    .executeTakeFirst()
  if (!told) await enqueue(transaction, [warning], at)
}

/** The Message-ID of the email that tells an owner that an answer did not arrive. */
export const warningIdOf = ({ messageId }: Pick<Email, 'messageId'>): string =>
  messageId.replace('.answer@', '.failed@')

/**
 * Reopens a lead after answers to it, the newest first, have failed for good: the lead returns to
 * the top of the list, with the reason, and the newest text and its files are a draft again, unless
 * their owner has written another one. A lead marked as spam stays spam. Doesn't lock the lead's
 * name: an undo may hold the lead's lock while it waits for the email's row, which this transaction
 * has locked, so the two would deadlock.
 */
export async function reopenLead(
  transaction: Database,
  leadId: string,
  answers: readonly FailedAnswer[],
  { reason: trouble, at, to, report }: Returned,
) {
  const query = transaction.selectFrom('leads').selectAll().where('id', '=', leadId).forUpdate()
  const lead = await query.executeTakeFirst()
  if (!lead) return
  const failed = answers.map((answer) => answer.at)
  const set = { trouble, ...(await reopened(transaction, lead, failed)) }
  const returned = { recipient: to ?? null, message_hash: report ?? null }
  const event = { what: 'answer_failed', text: trouble, before: null, ...returned } as const
  await applyDecision(transaction, lead, { set, event }, { at, who: 'server' })
  for (const { key, owner, text, files: sent, at: answeredAt } of answers) {
    // What the owner has begun may be for somebody else, who must not get this.
    const begun = { lead_id: lead.id, owner, in_draft: 1 } as const
    const files = transaction
      .selectFrom('files')
      .select('id')
      .where((file) => file.and(begun))
    if (await files.executeTakeFirst()) continue
    const draft = await transaction
      .insertInto('lead_drafts')
      // The owner wrote it then: nobody is writing now.
      .values({ lead_id: lead.id, owner, text, updated_at: answeredAt })
      .onConflict((conflict) => conflict.doNothing())
      .returning('owner')
      .executeTakeFirst()
    // Without files, it may be an email of the owner, which has no key.
    if (draft && sent) await giveFilesBack(transaction, lead.id, { key, owner, isUndone: false })
  }
}

/** Whether an owner has corrected this address of a lead's person: see `isCorrected`. */
async function isAddressCorrected(db: Database, leadId: string, address: string): Promise<boolean> {
  const condition = isCorrected(sql`${leadId}`, sql`${address}`)
  const { corrected } = await db.selectNoFrom(condition.as('corrected')).executeTakeFirstOrThrow()
  return Boolean(corrected)
}

const troubles = {
  size: 'Your answer did not arrive: its files are too large for the mail server. Send fewer or smaller ones.',
  kind: 'Your answer did not arrive: the mail server does not accept files like these. Send them in another format, such as PDF.',
}

function describeFailure(
  reply: ServerReply,
  outcome: Failure['outcome'],
  files: AnswerContent['files'],
): string {
  const { smtpCode } = reply
  const trouble = files && filesTrouble(reply)
  if (trouble) return troubles[trouble]
  if (outcome === 'bounced') return 'Your answer did not arrive: this mailbox does not exist.'
  if (smtpCode !== null && smtpCode >= 500) return 'Your answer did not arrive: the mail server refused it.'
  return 'Your answer did not arrive: we tried for days, but the mail server did not accept it.'
}

/** What the mail server said, on one line. */
function quoteReply({ response }: ServerReply): string {
  const sentence = response.replace(/\s+/g, ' ').replaceAll('\0', '\ufffd').trim().slice(0, MAX_REPLY)
  return sentence ? `The mail server said: ${sentence}` : ''
}

/**
 * `reason` may quote the mail server. `stuckSince`: the server keeps trying; null if the answer
 * failed for good.
 */
type AnswerTrouble = { at: string; address: string; reason: string; stuckSince: string | null }

/** Tells an owner that an answer did not arrive, or that it is stuck. */
export function answerTroubleEmail(
  lead: Lead,
  { at, address, reason, stuckSince }: AnswerTrouble,
  email: Envelope,
  { mailFrom, siteUrl }: Sender,
): Message {
  const name = hasWords(lead) ? toSubjectText(`${lead.firstName} ${lead.lastName}`) : lead.reference
  const page = `${siteUrl}${inboxPath}/${lead.reference}`
  const what = stuckSince
    ? `has been stuck since ${officeTimeInWords(Date.parse(stuckSince))}`
    : 'did not arrive'
  const next = stuckSince
    ? 'The server keeps trying for five days, and tells you if it gives up.'
    : 'The request is open, and your answer is a draft, unless you had begun another one.'
  return {
    ...automatic(mailFrom, email),
    subject: `Your answer to ${name} ${what}`,
    date: new Date(at),
    ...emailBody({
      title: `Answer to ${lead.reference}`,
      parts: [
        indented(heading(`Your answer to ${name} ${what}`)),
        // The reply of a mail server, and the address, are not our text.
        ...(hasWords(lead) ? [indented(paragraph(address ? `${reason} (${address})` : reason))] : []),
        paragraph(next),
        buttons([replyLink(page, 'Correct and answer'), ...callLink(lead.phone)]),
      ],
      footer: [siteUrl],
    }),
  }
}
