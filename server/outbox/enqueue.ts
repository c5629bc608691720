import type { Database } from '../database/schema.ts'
import { type NewEmail, priorityOf } from './email.ts'

/** Queues emails, due at `dueAt`, within the caller's transaction. */
export async function enqueue(db: Database, emails: readonly NewEmail[], dueAt: Date): Promise<void> {
  if (emails.length === 0) return
  const at = dueAt.toISOString()
  const rows = emails.map((email) => ({
    lead_id: email.leadId ?? null,
    content: email.content ?? null,
    kind: email.kind,
    recipient: email.recipient,
    message_id: email.messageId,
    priority: priorityOf(email),
    queued_at: at,
    due_at: at,
  }))
  await db.insertInto('outbox').values(rows).execute()
}
