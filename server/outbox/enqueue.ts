import { type Insertable, type RawBuilder, sql } from 'kysely'
import { columnNames, columnsOf, jsonRows } from '../database/json-rows.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import { type NewEmail, priorityOf } from './email.ts'

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

/** Makes the owners hear of these leads from the next list. */
export async function awaitList(db: Database, leadIds: readonly string[]): Promise<void> {
  if (leadIds.length > 0)
    await db.updateTable('leads').set({ awaits_list: 1 }).where('id', 'in', leadIds).execute()
}
