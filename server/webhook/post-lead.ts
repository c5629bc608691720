import { Webhook } from 'standardwebhooks'
import { contactFieldNames } from '#shared/contact-request.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import type { Database } from '../database/schema.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { type Lead, readLead } from '../leads/lead-store.ts'
import type { Deliver } from '../outbox/attempt.ts'
import { startDeadline } from '../outbox/deadline.ts'

type Site = { siteUrl: string; hasInbox: boolean }
type Deps = Site & { db: Database; receiver: Receiver; now: () => Date }

/** Creates a function that posts a queued lead to LEAD_WEBHOOK_URL. */
export function createPostLead({ db, receiver, now, ...site }: Deps): Deliver {
  return async ({ leadId, messageId }, signal) => {
    const lead = leadId === null ? undefined : await readLead(db, leadId)
    if (!lead) return { unsent: 'not needed' }
    const body = JSON.stringify(describeLead(lead, site))
    return postEvent(receiver, { id: messageId, body, at: now() }, signal)
  }
}

/**
 * The JSON that is posted for a lead: as it came in, so that every attempt posts the same bytes,
 * unless an owner gave a verdict or corrected the address in between. webhook.md explains the
 * fields. If one changes its meaning, increase `version`.
 */
function describeLead(lead: Lead, { siteUrl, hasInbox }: Site) {
  const inboxUrl = hasInbox ? `${siteUrl}${inboxPath}/${lead.reference}` : null
  return {
    type: 'lead.created',
    version: 1,
    // One line for people, which Slack and Mattermost show. Without visitors' text, which could
    // mention everyone.
    text: `New request ${lead.reference}${inboxUrl ? `: ${inboxUrl}` : ''}`,
    timestamp: lead.createdAt,
    data: {
      id: lead.id,
      reference: lead.reference,
      ...Object.fromEntries(contactFieldNames.map((field) => [field, lead[field]])),
      receivedAt: lead.createdAt,
      replyDueAt: lead.firstDueAt ?? lead.dueAt,
      inboxUrl,
      source: lead.source,
      spam: lead.spam,
    },
  }
}

const TIMEOUT_MS = 15_000
const MAX_QUOTED = 200
// The receiver has handled the event, and its answer is on another page: Google Apps Script
// responds like this. The other redirects (301, 307, 308) say that the event must be posted to
// another URL, so it hasn't been handled.
const SEE_OTHER = [302, 303]

/** Where to post events, and the secret that signs them. */
type Receiver = { url: string; secret: string }

/**
 * Posts an event, signed according to Standard Webhooks, and returns the receiver's reply. `id` is
 * the same in every attempt, so that the receiver can ignore duplicates. Rejects if the reply's
 * status isn't a 2xx, 302, or 303, if there is no reply after 15 s, or if `signal` aborts. Follows
 * no redirects, because they could send the lead to a host that nobody has configured.
 */
export async function postEvent(
  { url, secret }: Receiver,
  { id, body, at }: { id: string; body: string; at: Date },
  signal: AbortSignal,
): Promise<string> {
  using deadline = startDeadline(TIMEOUT_MS, 'The receiver did not respond in time.', signal)
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': 'lead-webhook',
      // A new connection each time: the receiver might close an idle one just as it's about to be
      // used again.
      Connection: 'close',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
    },
    body,
    redirect: 'manual',
    signal: deadline.signal,
  }).catch((error: unknown) => {
    // The error itself only says "fetch failed".
    throw deadline.signal.aborted ? deadline.signal.reason : (errorFacts(error).cause ?? error)
  })
  const { status, statusText } = response
  const reply = [`${status} ${oneLine(statusText)}`.trim(), oneLine(await readBeginning(response))]
  const words = reply.filter(Boolean).join(': ')
  if (response.ok || SEE_OTHER.includes(status)) return words
  throw Object.assign(new Error(words), { code: 'HTTP', responseCode: status, response: words })
}

/**
 * The beginning of the body. The rest is not read. If it can't be read, that doesn't matter: the
 * status has arrived.
 */
async function readBeginning({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  const first = await reader?.read().catch(() => undefined)
  reader?.cancel().catch(() => {})
  return Buffer.from(first?.value ?? []).toString()
}

/** The receiver's words on one line, without characters that could control a terminal. */
const oneLine = (words: string) =>
  words
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
    .slice(0, MAX_QUOTED)
    .toWellFormed()
