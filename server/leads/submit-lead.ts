import { v7 as ascendingId } from 'uuid'
import type { ContactRequest } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/inbox/lead.ts'
import { replyDueAt } from '#shared/promise-clock.ts'
import type { Write } from '../database/group-commit.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { Problem } from '../problem.ts'
import { type ContactLimit, overLimit } from './contact-limit.ts'
import { type Asked, contentHash, type History, messageHash, readHistory } from './history.ts'
import { insertLead, type NewLead } from './lead-store.ts'
import { type EmailDeps, planEmails, receiptLock } from './plan-emails.ts'
import { createReference } from './reference.ts'
import type { JudgeMessage } from './spam/learned-words.ts'
import { type Clues, scoreSpam } from './spam-score.ts'

type Deps = EmailDeps & {
  write: Write
  contactLimit: ContactLimit
  /** Hashes text with this installation's secret key. */
  keyedHash: (text: string) => string
  judgeMessage: JudgeMessage
  now: () => Date
  onStored: () => void
}

export type Sender = {
  /** The keyed hash of the client's network. */
  client: string
  idempotencyKey: string | null
  clues: Omit<Clues, 'repeats' | 'words'>
  /** The signed part of the form token. */
  formToken: string | null
  source: LeadSource
}
type Submission = { outcome: 'accepted' | 'replayed' | 'duplicate'; reference: string }
export type SubmitLead = ReturnType<typeof createSubmitLead>

/** Durably stores a request and its emails. Throws a Problem: `idempotency_conflict` or `rate_limited`. */
export function createSubmitLead({
  write,
  contactLimit,
  keyedHash,
  judgeMessage,
  now,
  onStored,
  ...deps
}: Deps) {
  return async function submitLead(
    request: ContactRequest,
    { client, idempotencyKey, formToken, clues, source }: Sender,
  ): Promise<Submission> {
    const asked: Asked = {
      request,
      contentHash: contentHash(request),
      idempotencyKey,
      client,
      formToken: formToken && keyedHash(formToken),
    }
    // Judge the message before the transaction starts, because other requests wait until the transaction ends.
    const judged = { ...clues, words: judgeMessage(request.message) }

    const submission = await write(
      async (transaction) => {
        const receivedAt = now()
        const history = await readHistory(transaction, asked, contactLimit, receivedAt)
        const ended = findEarlier(history, asked) ?? overLimit(history, contactLimit, receivedAt)
        if (ended) return ended

        const lead = newLead(asked, judged, history, { createdAt: receivedAt, source })
        while (!(await insertLead(transaction, lead))) lead.reference = createReference()
        await enqueue(transaction, await planEmails(deps, transaction, lead), receivedAt)
        return { outcome: 'accepted' as const, reference: lead.reference }
      },
      competing(asked, deps.sendsReceipts),
    )
    if (submission instanceof Problem) throw submission
    if (submission.outcome === 'accepted') onStored()
    return submission
  }
}

/** Names to lock, so that competing requests wait for each other, on any replica. */
const competing = (
  { request, contentHash, client, formToken }: Asked,
  sendsReceipts: boolean,
): readonly string[] => [
  client,
  `message ${messageHash(contentHash)}`,
  ...(formToken ? [`token ${formToken}`] : []),
  ...(sendsReceipts ? [receiptLock(request.email)] : []),
]

/**
 * The result of an earlier request with the same key or, if there is no key, of a recent one with the same content. A key
 * belongs to its client, so that a stranger who guesses keys can't block a lead.
 */
function findEarlier(
  { sameKey, isKeyUsed, sameContent }: History,
  { idempotencyKey }: Asked,
): Submission | Problem | undefined {
  if (idempotencyKey === null)
    return sameContent === null ? undefined : { outcome: 'duplicate', reference: sameContent }
  if (sameKey !== null) return { outcome: 'replayed', reference: sameKey }
  if (!isKeyUsed) return undefined
  return new Problem(
    'idempotency_conflict',
    'This request was already sent with different content. Please send it again.',
  )
}

const newLead = (
  { request, ...asked }: Asked,
  clues: Omit<Clues, 'repeats'>,
  { isTokenUsed, otherSenders }: History,
  { createdAt, source }: Pick<NewLead, 'createdAt' | 'source'>,
): NewLead => ({
  ...request,
  ...asked,
  // Unlike ids from Node's randomUUIDv7, these ascend even within a millisecond, so leads keep their order of arrival.
  id: ascendingId(),
  reference: createReference(),
  createdAt,
  dueAt: replyDueAt(createdAt),
  source,
  spam: scoreSpam(request, {
    ...clues,
    // A form token is good for one lead.
    formAgeMs: isTokenUsed ? undefined : clues.formAgeMs,
    repeats: otherSenders,
  }),
})
