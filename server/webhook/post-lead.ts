import { contactFieldNames } from '#shared/contact-request.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import type { Database } from '../database/schema.ts'
import { type Lead, toLead } from '../leads/lead-store.ts'
import { isSuspect } from '../leads/spam-score.ts'
import type { Deliver } from '../outbox/attempt.ts'
import { postEvent, type Receiver } from './post-event.ts'

type Site = { siteUrl: string; hasInbox: boolean }
type Deps = Site & { db: Database; receiver: Receiver; now: () => Date }

/** Creates a function that posts a queued lead to LEAD_WEBHOOK_URL. */
export function createPostLead({ db, receiver, now, ...site }: Deps): Deliver {
  return async ({ leadId, messageId }, signal) => {
    const lead = await db
      .selectFrom('leads')
      .selectAll()
      .where('id', '=', leadId)
      .executeTakeFirstOrThrow(() => new Error('The lead was erased.'))
    const body = JSON.stringify(describeLead(toLead(lead), lead.verdict, site))
    return postEvent(receiver, { id: messageId, body, at: now() }, signal)
  }
}

/**
 * The JSON that is posted for a lead: as it came in, so that every attempt posts the same bytes, unless an owner gave a verdict
 * in between. webhook.md explains the fields. If one changes its meaning, increase `version`.
 */
function describeLead(lead: Lead, verdict: 'spam' | 'honest' | null, { siteUrl, hasInbox }: Site) {
  const inboxUrl = hasInbox ? `${siteUrl}${inboxPath}/${lead.reference}` : null
  return {
    type: 'lead.created',
    version: 1,
    // One line for people, which Slack and Mattermost show. Without visitors' text, which could mention everyone.
    text: `New request ${lead.reference}${inboxUrl ? `: ${inboxUrl}` : ''}`,
    timestamp: lead.createdAt,
    data: {
      id: lead.id,
      reference: lead.reference,
      ...Object.fromEntries(contactFieldNames.map((field) => [field, lead[field]])),
      receivedAt: lead.createdAt,
      replyDueAt: lead.dueAt,
      inboxUrl,
      source: lead.source,
      spam: { isSuspect: verdict ? verdict === 'spam' : isSuspect(lead.spam.score), ...lead.spam },
    },
  }
}
