import { v7 as ascendingId } from 'uuid'
import type { ContactRequest } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/inbox/lead.ts'
import { replyDueAt } from '#shared/promise-clock.ts'
import { createBatches } from '../database/batches.ts'
import { lockFreeNames } from '../database/differences.ts'
import type { Write } from '../database/group-commit.ts'
import type { Database } from '../database/schema.ts'
import type { NewEmail } from '../outbox/email.ts'
import { Problem } from '../problem.ts'
import { type Allowance, acceptedNames, type ContactLimit, toAllowance } from './accepted-requests.ts'
import { contentHash } from './content-hash.ts'
import { type Asked, type History, MIN_REPEATED_LENGTH, readHistories } from './history.ts'
import type { NewLead } from './lead-store.ts'
import { mailboxOf } from './mailbox.ts'
import { type EmailDeps, planEmails } from './plan-emails.ts'
import { createReference } from './reference.ts'
import type { JudgeMessage } from './spam/learned-words.ts'
import { type Clues, scoreSpam } from './spam-score.ts'
import { type Entry, storeLeads } from './store-leads.ts'
import { toWaves } from './waves.ts'

type Deps = EmailDeps & {
  db: Database
  write: Write
  contactLimit: ContactLimit
  /** Hashes text with this installation's secret key. */
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
  /** The signed part of the form token. */
  formToken?: string | null
  source?: LeadSource
}
export type Submission =
  | { outcome: 'accepted'; reference: string; allowance: Allowance }
  | { outcome: 'replayed' | 'duplicate'; reference: string }
export type SubmitLead = ReturnType<typeof createSubmitLead>

type Received = Asked & {
  clues: Omit<Clues, 'repeats'>
  source: LeadSource
  /** Names to lock, so that competing requests wait for each other, on any replica. */
  lockKeys: readonly string[]
}
/** A lead to store, or the response to a request that is not stored. */
type Decision = { entry: Entry; allowance: Allowance } | Submission | Problem

/** Durably stores a request and its emails. Throws a Problem: `idempotency_conflict` or `rate_limited`. */
export function createSubmitLead({ db, write, contactLimit, judgeMessage, now, onStored, ...deps }: Deps) {
  const submitAll = (requests: readonly Received[]) =>
    write(async (transaction) => {
      const locked = await lockFreeNames(
        transaction,
        requests.flatMap(({ lockKeys }) => lockKeys),
      )
      // If another replica has locked a key of a request, the request waits for a later batch, and delays no others.
      const free = requests.filter(({ lockKeys }) => lockKeys.every((key) => locked.has(key)))
      const results = new Map<Received, Submission | Problem | undefined>()
      for (const wave of toWaves(free, waveKeys)) {
        const submitted = await submitWave(transaction, wave)
        for (const [index, received] of wave.entries()) results.set(received, submitted[index])
      }
      return requests.map((received) => results.get(received))
    })
  // Requests that arrive together share their statements and an fsync.
  const submit = createBatches(submitAll)

  return async function submitLead(
    request: ContactRequest,
    {
      client,
      idempotencyKey,
      clues = { isHoneypotFilled: false, formAgeMs: undefined },
      formToken = null,
      source = {},
    }: Sender,
  ): Promise<Submission> {
    const hash = contentHash(request)
    const asked = {
      request,
      hash,
      idempotencyKey: idempotencyKey === null ? null : storedKey(idempotencyKey, hash),
      names: acceptedNames({ client, idempotencyKey, formToken }, deps.keyedHash),
    }
    const submission = await submit({
      ...asked,
      lockKeys: lockKeysOf(asked, deps.sendsReceipts),
      // Judge the message before the transaction starts, because other requests wait until the transaction ends.
      clues: { ...clues, words: judgeMessage(request.message) },
      source,
    })
    if (submission instanceof Problem) throw submission
    if (submission.outcome === 'accepted') onStored()
    return submission
  }

  /** Decides about requests that have no key in common, and stores their leads. Returns a result for each. */
  async function submitWave(transaction: Database, requests: readonly Received[]) {
    const receivedAt = now()
    const histories = await readHistories(transaction, requests, contactLimit, receivedAt)
    const decisions = histories.map(([received, history]) => decide(received, history, receivedAt))
    const entries = decisions.flatMap((decision) => ('entry' in decision ? [decision.entry] : []))
    const queued: NewEmail[] = []
    for (const entry of entries) {
      entry.emails = await planEmails(deps, transaction, entry, queued)
      queued.push(...entry.emails)
    }
    let unstored = await storeLeads(transaction, entries)
    while (unstored.length > 0) {
      for (const { lead } of unstored) lead.reference = createReference()
      unstored = await storeLeads(transaction, unstored)
    }
    return decisions.map(toResult)
  }

  function decide(received: Received, history: History, receivedAt: Date): Decision {
    const { request, hash, idempotencyKey, names, clues, source } = received
    const earlier = findEarlier(history, idempotencyKey)
    if (earlier) return earlier
    const allowance = toAllowance(history.spent, contactLimit, receivedAt)
    if (allowance.remaining === 0) return rateLimited(allowance.resetSeconds)
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
      spam: scoreSpam(request, {
        ...clues,
        ...(history.isTokenUsed && { formAgeMs: undefined }),
        repeats: history.otherSenders,
      }),
    }
    return {
      entry: { lead, names, emails: [] },
      allowance: { ...allowance, remaining: allowance.remaining - 1 },
    }
  }
}

const toResult = (decision: Decision): Submission | Problem =>
  'entry' in decision
    ? { outcome: 'accepted', reference: decision.entry.lead.reference, allowance: decision.allowance }
    : decision

// Requests with the same message are in different waves, so that each is counted as a repeat of the earlier ones.
const waveKeys = ({ request, lockKeys }: Received): readonly string[] =>
  request.message.length < MIN_REPEATED_LENGTH ? lockKeys : [...lockKeys, `message ${request.message}`]

/** Lock keys that serialize competing requests across replicas. */
const lockKeysOf = ({ request, hash, names }: Asked, sendsReceipts: boolean): string[] => [
  ...Object.values(names).filter((name) => name !== null),
  `content ${hash}`,
  // Without receipts, requests from one mailbox have no reason to wait for each other.
  ...(sendsReceipts ? [`receipt ${mailboxOf(request.email)}`] : []),
]

/**
 * The stored form of an idempotency key. It contains the hash of the content, so a request is only a replay if both are the
 * same: the same key with other content may come from somebody else.
 */
export const storedKey = (key: string, hash: string): string => `${key} ${hash}`

/** The result of an earlier request with the same key or, if there is no key, of a recent one with the same content. */
function findEarlier(
  { sameKey, isKeyUsed, sameContent }: History,
  idempotencyKey: string | null,
): Submission | Problem | undefined {
  if (idempotencyKey === null) return sameContent && { ...sameContent, outcome: 'duplicate' }
  if (sameKey) return { ...sameKey, outcome: 'replayed' }
  if (!isKeyUsed) return undefined
  return new Problem(
    'idempotency_conflict',
    'This request was already sent with different content. Please send it again.',
  )
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
