import type { Insertable } from 'kysely'
import type { ContactRequest } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/lead-source.ts'
import type { Context } from '../context.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import { Problem } from '../errors/problem.ts'
import type { MailBudget } from '../leads/emails/mail-budget.ts'
import { receiptLock } from '../leads/emails/receipts.ts'
import { createLeadId } from '../leads/lead-id.ts'
import { type Lead, toColumns } from '../leads/lead-store.ts'
import { sortKey } from '../leads/lists/sort-key.ts'
import { createReference } from '../leads/reference.ts'
import { searchTextOf } from '../leads/search/search-text.ts'
import { enqueue } from '../outbox/email.ts'
import type { JudgeMessage } from '../spam/learned-words.ts'
import { type Clues, scoreSpam } from '../spam/spam-score.ts'
import { overLimit } from './contact-limit.ts'
import { type Asked, contentHash, type Earlier, messageHash, readEarlier } from './history.ts'
import { planEmails } from './plan-emails.ts'

type Deps = Pick<Context, 'write' | 'now' | 'env'> & {
  budget: Pick<MailBudget, 'receipts'>
  judgeMessage: JudgeMessage
  /** When the promised reply to a request is due. */
  replyDueAt: (receivedAt: Date) => Date
  onStored: () => void
}

export type Requester = Omit<Asked, 'contentHash'> & {
  clues: Omit<Clues, 'repeats' | 'words'>
  source: LeadSource
}
type NewLead = Lead & Asked
type Submission = { outcome: 'accepted' | 'replayed' | 'duplicate'; reference: string }
export type SubmitLead = ReturnType<typeof createSubmitLead>

/**
 * Durably stores a request and its emails. Throws a Problem: `idempotency_conflict` or
 * `rate_limited`.
 */
export function createSubmitLead({ write, now, env, budget, judgeMessage, replyDueAt, onStored }: Deps) {
  return async function submitLead(
    request: ContactRequest,
    { client, idempotencyKey, formToken, clues, source }: Requester,
  ): Promise<Submission> {
    const asked = { contentHash: contentHash(request), idempotencyKey, client, formToken }
    // Judge the message before the transaction starts, because other requests wait until the
    // transaction ends.
    const words = judgeMessage(request.message)

    const submission = await write(
      async (transaction) => {
        const createdAt = now()
        const history = await readEarlier(transaction, request, asked, env, createdAt)
        const ended = findEarlier(history) ?? overLimit(history, env, createdAt)
        if (ended) return ended

        const lead: NewLead = {
          ...request,
          ...asked,
          id: createLeadId(createdAt),
          reference: createReference(),
          createdAt,
          dueAt: replyDueAt(createdAt),
          source,
          spam: scoreSpam(request, {
            ...clues,
            words,
            // A form token is good for one lead.
            formAgeMs: history.isTokenUsed ? undefined : clues.formAgeMs,
            repeats: history.otherSenders,
          }),
        }
        await insertLead(transaction, lead)
        await enqueue(transaction, await planEmails({ env, budget }, transaction, lead), createdAt)
        return { outcome: 'accepted' as const, reference: lead.reference }
      },
      competing(request, asked),
    )
    if (submission instanceof Problem) throw submission
    if (submission.outcome === 'accepted') onStored()
    return submission
  }
}

/** Names to lock, so that competing requests wait for each other, on any replica. */
const competing = ({ email }: ContactRequest, { contentHash, client }: Asked) => [
  client,
  `message ${messageHash(contentHash)}`,
  receiptLock(email),
]

/**
 * The result of an earlier request with the same key or, if one of the two has no key, of a recent
 * one with the same content. A key belongs to its client, so that a stranger who guesses keys can't
 * block a lead.
 */
function findEarlier({ sameKey, isKeyUsed, sameContent }: Earlier): Submission | Problem | undefined {
  if (sameKey !== null) return { outcome: 'replayed', reference: sameKey }
  if (isKeyUsed)
    return new Problem(
      'idempotency_conflict',
      'This request was already sent with different content. Please send it again.',
    )
  return sameContent === null ? undefined : { outcome: 'duplicate', reference: sameContent }
}

const insertRow = prepared((db, row: Insertable<Schema['leads']>) => db.insertInto('leads').values(row))
const insertText = prepared((db, row: Schema['lead_texts']) => db.insertInto('lead_texts').values(row))

/** Stores a lead, and the text by which searches find it. */
async function insertLead(transaction: Database, lead: NewLead): Promise<void> {
  const createdAt = lead.createdAt.toISOString()
  const row = {
    id: lead.id,
    reference: lead.reference,
    created_at: createdAt,
    ...toColumns(lead),
    idempotency_key: lead.idempotencyKey,
    content_hash: lead.contentHash,
    client: lead.client,
    form_token: lead.formToken,
    spam_score: lead.spam.score,
    spam_reasons: JSON.stringify(lead.spam.reasons),
    state: 'open' as const,
    verdict: null,
    due_at: lead.dueAt.toISOString(),
    follow_up_at: null,
    replied_at: null,
    trouble: null,
    source: JSON.stringify(lead.source),
  }
  await insertRow(transaction, { ...row, sort_key: sortKey(row, createdAt) })
  await insertText(transaction, { lead_id: lead.id, ...searchTextOf(row) })
}
