import type { Insertable } from 'kysely'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import { type NewEmail, priorityOf } from './email.ts'

const insert = prepared((db, row: Insertable<Schema['outbox']>) => db.insertInto('outbox').values(row))

/** Queues emails, due at `dueAt`, within the caller's transaction. */
export async function enqueue(db: Database, emails: readonly NewEmail[], dueAt: Date): Promise<void> {
  const at = dueAt.toISOString()
  for (const email of emails)
    await insert(db, {
      lead_id: email.leadId ?? null,
      content: email.content ?? null,
      kind: email.kind,
      recipient: email.recipient,
      message_id: email.messageId,
      priority: priorityOf(email),
      queued_at: at,
      due_at: at,
    })
}
