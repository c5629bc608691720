import type { Database } from '../database/schema.ts'
import { type MailRecord, withAttempts } from './email-states.ts'

/** The emails about these leads by lead id, oldest first, with their delivery logs. */
export async function readMails(db: Database, leadIds: string[]): Promise<Map<string, MailRecord[]>> {
  const mails = await db
    .selectFrom('outbox')
    .selectAll()
    .where('lead_id', 'in', leadIds)
    .orderBy('id')
    .execute()
  const attempts = await db
    .selectFrom('outbox_attempts')
    .innerJoin('outbox', 'outbox.id', 'outbox_id')
    .where('lead_id', 'in', leadIds)
    .orderBy('at')
    .orderBy('outbox_attempts.rowid')
    .select(['outbox_id', 'at', 'outcome', 'smtp_code', 'response'])
    .execute()
  const attemptsOf = Map.groupBy(attempts, ({ outbox_id }) => outbox_id)
  const records = mails.map(({ id, lead_id, ...mail }) => ({
    leadId: String(lead_id),
    mail: withAttempts(
      mail,
      (attemptsOf.get(id) ?? []).map(({ outbox_id: _, ...attempt }) => attempt),
    ),
  }))
  const byLead = Map.groupBy(records, ({ leadId }) => leadId)
  return new Map([...byLead].map(([id, of]) => [id, of.map(({ mail }) => mail)]))
}
