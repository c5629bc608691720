import type { Database } from '../database/schema.ts'
import { type MailRecord, withAttempts } from './email-states.ts'

/** Reads the emails of these leads. Returns a function that gets one lead's emails. */
export async function readMails(db: Database, leadIds: readonly string[]) {
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
  const record = ({ id, lead_id: _, ...mail }: (typeof mails)[number]) => {
    const own = attemptsOf.get(id) ?? []
    return withAttempts(
      mail,
      own.map(({ outbox_id: _, ...attempt }) => attempt),
    )
  }
  const mailsOf = Map.groupBy(mails, ({ lead_id }) => lead_id)
  return (leadId: string): MailRecord[] => (mailsOf.get(leadId) ?? []).map(record)
}
