import { v7 as ascendingId } from 'uuid'
import type { ContactRequest } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/inbox/lead.ts'
import { replyDueAt } from '#shared/promise-clock.ts'
import { lockNames } from '../database/differences.ts'
import type { Write } from '../database/group-commit.ts'
import type { Database } from '../database/schema.ts'
import { domainOf, type MailAddress } from '../mail/mailer.ts'
import type { NewEmail } from '../outbox/email.ts'
import { hasSuspectsSince } from '../outbox/enqueue.ts'
import { Problem } from '../problem.ts'
import { type Allowance, type ContactLimit, type Spent, toAllowance } from './accepted-requests.ts'
import { contentHash } from './content-hash.ts'
import { type Asked, type History, readHistory } from './history.ts'
import type { NewLead } from './lead-store.ts'
import { mailboxOf } from './mailbox.ts'
import { spendReceipt } from './receipt-limit.ts'
import { createReference } from './reference.ts'
import type { JudgeMessage } from './spam/learned-words.ts'
import { type Clues, isSuspect, scoreSpam } from './spam-score.ts'
import { storeLead } from './store-lead.ts'

// The most emails about suspected spam per hour. Small email accounts may send only a few hundred emails a day.
const MAX_SUSPECTS = 30
const SUSPECTS_WINDOW_MS = 60 * 60 * 1000

type Deps = {
  write: Write
  contactLimit: ContactLimit
  mailFrom: MailAddress
  mailTo: readonly string[]
  /** Whether visitors get receipts. */
  sendsReceipts: boolean
  /** The host that leads are posted to, if any. */
  webhookHost?: string | undefined
  /** Hashes an address that is stored only for counting. */
  keyedHash: (text: string) => string
  judgeMessage: JudgeMessage
  now: () => Date
  onStored: () => void
}

export type FormClues = Omit<Clues, 'repeats' | 'words'>
export type Sender = {
  client: string
  idempotencyKey: string | null
  clues?: FormClues
  source?: LeadSource
}
export type Submission =
  | { outcome: 'accepted'; reference: string; allowance: Allowance }
  | { outcome: 'replayed' | 'duplicate'; reference: string }
export type SubmitLead = ReturnType<typeof createSubmitLead>

/** Durably stores a request and its emails. Throws a Problem: `idempotency_conflict` or `rate_limited`. */
export function createSubmitLead({
  write,
  contactLimit,
  mailFrom,
  mailTo,
  sendsReceipts,
  webhookHost,
  keyedHash,
  judgeMessage,
  now,
  onStored,
}: Deps) {
  const domain = domainOf(mailFrom)

  return async function submitLead(
    request: ContactRequest,
    {
      client,
      idempotencyKey,
      clues = { isHoneypotFilled: false, formAgeMs: undefined },
      source = {},
    }: Sender,
  ): Promise<Submission> {
    const hash = contentHash(request)
    const asked = { request, hash, idempotencyKey, client, windowSeconds: contactLimit.windowSeconds }
    // Judge the message before the transaction starts, because other requests wait until the transaction ends.
    const words = judgeMessage(request.message)
    const submission = await write(async (transaction): Promise<Submission> => {
      await lockNames(transaction, lockKeys(asked, sendsReceipts))
      const receivedAt = now()

      const history = await readHistory(transaction, asked, receivedAt)
      const earlier = findEarlier(history, hash, idempotencyKey)
      if (earlier) return earlier
      const allowance = spendAllowance(history.spent, contactLimit, receivedAt)

      const lead: NewLead = {
        ...request,
        // Unlike ids from Node's randomUUIDv7, these ascend even within a millisecond, so leads keep their order of arrival.
        id: ascendingId(),
        reference: createReference(),
        createdAt: receivedAt,
        idempotencyKey,
        contentHash: hash,
        dueAt: replyDueAt(receivedAt),
        source,
        spam: scoreSpam(request, { ...clues, words, repeats: history.otherSenders }),
      }
      const emails: NewEmail[] = (await getsNotice(transaction, lead, receivedAt))
        ? mailTo.map((recipient, index) => ({
            leadId: lead.id,
            kind: 'owner_notice',
            recipient,
            messageId: `<${lead.id}.${index}@${domain}>`,
            isSuspect: isSuspect(lead.spam.score),
          }))
        : []
      if (
        sendsReceipts &&
        !isSuspect(lead.spam.score) &&
        (await spendReceipt(transaction, lead.email, receivedAt, keyedHash))
      )
        emails.push({
          leadId: lead.id,
          kind: 'visitor_receipt',
          recipient: lead.email,
          messageId: `<${lead.id}.receipt@${domain}>`,
        })
      if (webhookHost)
        emails.push({
          leadId: lead.id,
          kind: 'webhook',
          recipient: webhookHost,
          messageId: `lead_${lead.id}`,
        })
      while (!(await storeLead(transaction, lead, client, emails))) lead.reference = createReference()
      return { outcome: 'accepted', reference: lead.reference, allowance } as const
    })
    if (submission.outcome === 'accepted') onStored()
    return submission
  }
}

/** Lock keys that serialize competing requests across replicas. */
const lockKeys = ({ request, hash, client, idempotencyKey }: Asked, sendsReceipts: boolean): string[] => [
  `client ${client}`,
  `content ${hash}`,
  // Without receipts, requests from one mailbox have no reason to wait for each other.
  ...(sendsReceipts ? [`receipt ${mailboxOf(request.email)}`] : []),
  ...(idempotencyKey === null ? [] : [`key ${idempotencyKey}`]),
]

/**
 * Whether the owners get a notice about the lead. In a flood of suspected spam, most requests appear only in the digest, to
 * stay within the mail server's daily quota.
 */
async function getsNotice(db: Database, { spam }: NewLead, now: Date): Promise<boolean> {
  if (!isSuspect(spam.score)) return true
  return !(await hasSuspectsSince(db, MAX_SUSPECTS, new Date(now.getTime() - SUSPECTS_WINDOW_MS), now))
}

/** The result of an earlier request with the same key or, if there is no key, of a recent one with the same content. */
function findEarlier(
  { sameKey, sameContent }: History,
  hash: string,
  idempotencyKey: string | null,
): Submission | undefined {
  if (idempotencyKey === null) return sameContent && { ...sameContent, outcome: 'duplicate' }
  if (sameKey && sameKey.contentHash !== hash)
    throw new Problem(
      'idempotency_conflict',
      'This request was already sent with different content. Please send it again.',
    )
  return sameKey && { reference: sameKey.reference, outcome: 'replayed' }
}

function spendAllowance(spent: Spent, limit: ContactLimit, now: Date): Allowance {
  const { remaining, resetSeconds } = toAllowance(spent, limit, now)
  if (remaining === 0) throw rateLimited(resetSeconds)
  return { remaining: remaining - 1, resetSeconds }
}

/** The error for a client that has sent too many requests. */
export function rateLimited(retryAfterSeconds: number): Problem {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return new Problem(
    'rate_limited',
    `Too many requests from your connection. Please try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}, or email us directly.`,
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  )
}
