import type { Selectable } from 'kysely'
import { inboxPath } from '#shared/inbox/api.ts'
import type { Database, Schema } from '../database/schema.ts'
import { parseSource } from '../leads/lead-store.ts'
import { isSuspect, parseReasons } from '../leads/spam-score.ts'
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
    const body = JSON.stringify(describeLead(lead, site))
    return postEvent(receiver, { id: messageId, body, at: now() }, signal)
  }
}

/**
 * The JSON that is posted for a lead: as it came in, so that every attempt posts the same bytes, unless an owner gave a verdict
 * in between. webhook.md explains the fields. If one changes its meaning, increase `version`.
 */
function describeLead(lead: Selectable<Schema['leads']>, { siteUrl, hasInbox }: Site) {
  const inboxUrl = hasInbox ? `${siteUrl}${inboxPath}/${lead.reference}` : null
  return {
    type: 'lead.created',
    version: 1,
    // One line for people, which Slack and Mattermost show. Without visitors' text, which could mention everyone.
    text: `New request ${lead.reference}${inboxUrl ? `: ${inboxUrl}` : ''}`,
    timestamp: lead.created_at,
    data: {
      id: lead.id,
      reference: lead.reference,
      firstName: lead.first_name,
      lastName: lead.last_name,
      email: lead.email,
      phone: lead.phone,
      company: lead.company,
      website: lead.website,
      budget: lead.budget,
      message: lead.message,
      receivedAt: lead.created_at,
      replyDueAt: lead.due_at,
      inboxUrl,
      source: parseSource(lead.source),
      spam: {
        isSuspect: lead.verdict ? lead.verdict === 'spam' : isSuspect(lead.spam_score),
        score: lead.spam_score,
        reasons: parseReasons(lead.spam_reasons),
      },
    },
  }
}
