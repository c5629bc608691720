import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/schema.ts'
import type { Deliver } from '../outbox/attempt.ts'
import { describeLead } from './lead-created.ts'
import { postEvent, type Receiver } from './post-event.ts'

// Leads are posted one at a time, and each post takes at least this long. So after an outage, the receiver gets at most
// 20 leads a second.
const MIN_INTERVAL_MS = 50

type Deps = { db: Database; receiver: Receiver; siteUrl: string; hasInbox: boolean; now: () => Date }

/** Creates a function that posts a queued lead to LEAD_WEBHOOK_URL. */
export function createPostLead({ db, receiver, now, ...site }: Deps): Deliver {
  return async ({ leadId, messageId }, signal) => {
    const lead = await db
      .selectFrom('leads')
      .selectAll()
      .where('id', '=', leadId)
      .executeTakeFirstOrThrow(() => new Error('The lead was erased.'))
    const event = { id: messageId, body: JSON.stringify(describeLead(lead, site)), at: now() }
    const [reply] = await Promise.all([postEvent(receiver, event, signal), sleep(MIN_INTERVAL_MS)])
    return reply
  }
}
