import { type Insertable, sql } from 'kysely'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import { type NewEmail, priorities, priorityOf } from './email.ts'

export const emailColumns = [
  'lead_id',
  'content',
  'kind',
  'recipient',
  'message_id',
  'priority',
  'queued_at',
  'due_at',
] as const satisfies (keyof Schema['outbox'])[]
type EmailRow = Pick<Insertable<Schema['outbox']>, (typeof emailColumns)[number]>

export function toEmailRow(email: NewEmail, dueAt: Date): EmailRow {
  const at = dueAt.toISOString()
  return {
    lead_id: email.leadId ?? null,
    content: email.content ?? null,
    kind: email.kind,
    recipient: email.recipient,
    message_id: email.messageId,
    priority: priorityOf(email),
    queued_at: at,
    due_at: at,
  }
}

const insertEmail = prepared((db, email: EmailRow) => db.insertInto('outbox').values(email))

/** Queues emails, due at `dueAt`, within the caller's transaction. */
export async function enqueue(db: Database, emails: readonly NewEmail[], dueAt: Date): Promise<void> {
  for (const email of emails) await insertEmail(db, toEmailRow(email, dueAt))
}

/** Whether at least `count` emails about suspected spam were queued between `since` and `now`. */
export async function hasSuspectsSince(
  db: Database,
  count: number,
  since: Date,
  now: Date,
): Promise<boolean> {
  const suspect = await db
    .selectFrom('outbox')
    .select('id')
    // This must match the condition of the index `outbox_suspects`, or SQLite won't use it.
    .where(sql<boolean>`priority = ${sql.lit(priorities.suspect)}`)
    .where('queued_at', '>', since.toISOString())
    .where('queued_at', '<=', now.toISOString())
    .orderBy('queued_at', 'desc')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return suspect !== undefined
}
