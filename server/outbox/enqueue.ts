import { type Insertable, type RawBuilder, sql } from 'kysely'
import { columnNames, columnsOf, jsonRows } from '../database/json-rows.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import { type NewEmail, priorities, priorityOf } from './email.ts'

export const emailColumns = {
  lead_id: 'text',
  content: 'json',
  kind: 'text',
  recipient: 'text',
  message_id: 'text',
  priority: 'integer',
  queued_at: 'text',
  due_at: 'text',
} as const
type EmailRow = Pick<Insertable<Schema['outbox']>, keyof typeof emailColumns>

export function emailRows(emails: readonly NewEmail[], dueAt: Date): EmailRow[] {
  const at = dueAt.toISOString()
  return emails.map((email) => ({
    lead_id: email.leadId ?? null,
    content: email.content ?? null,
    kind: email.kind,
    recipient: email.recipient,
    message_id: email.messageId,
    priority: priorityOf(email),
    queued_at: at,
    due_at: at,
  }))
}

export const emailsInsert = (
  query: Pick<Database, 'insertInto'>,
  rows: RawBuilder<unknown>,
  condition = sql`true`,
) =>
  query
    .insertInto('outbox')
    .columns(columnsOf(emailColumns))
    .expression(sql`select ${columnNames(emailColumns)} from ${rows} as email where ${condition}`)

/** Queues emails. `emails` is a JSON array of rows from `emailRows`. */
export const insertEmails = prepared((db, { emails }: { emails: string }) =>
  emailsInsert(db, jsonRows(db, emails, emailColumns)),
)

/** Queues emails, due at `dueAt`, within the caller's transaction. */
export async function enqueue(db: Database, emails: readonly NewEmail[], dueAt: Date): Promise<void> {
  if (emails.length > 0) await insertEmails(db, { emails: JSON.stringify(emailRows(emails, dueAt)) })
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
