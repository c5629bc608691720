import { type Insertable, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import { type NewEmail, priorityOf } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { insertAccepted } from './accepted-requests.ts'
import type { NewLead } from './lead-store.ts'

type Row = Insertable<Schema['leads']>

/**
 * Stores a lead, counts it toward its client's limit, and queues its emails. If its reference is already in use, stores
 * nothing and returns false.
 */
export async function storeLead(
  db: Database,
  lead: NewLead,
  client: string,
  emails: readonly NewEmail[],
): Promise<boolean> {
  const row = toRow(lead)
  if (isShared(db)) {
    const queued = emails.map((email) => ({ ...email, priority: priorityOf(email) }))
    const { rows } = await insertAll(db, { ...row, client, emails: JSON.stringify(queued) })
    return rows.length === 1
  }
  const { numAffectedRows } = await insertLead(db, row)
  if (numAffectedRows === 0n) return false
  await insertAccepted(db, { client, at: row.created_at })
  await enqueue(db, emails, lead.createdAt)
  return true
}

const insertLead = prepared((db, lead: Row) => insertInto(db, lead))

const insertInto = (db: Pick<Database, 'insertInto'>, lead: Row) =>
  db
    .insertInto('leads')
    .values(lead)
    .onConflict((conflict) => conflict.column('reference').doNothing())

// On PostgreSQL, one statement does everything, because each statement is a round trip. SQLite can't insert into several
// tables at once.
const insertAll = prepared((db, { client, emails, ...lead }: Row & { client: string; emails: string }) =>
  db
    .with('stored', (query) => insertInto(query, lead).returning(['id', 'created_at']))
    .with('counted', (query) =>
      query
        .insertInto('accepted_requests')
        .columns(['client', 'at'])
        .expression(sql`select cast(${client} as text), created_at from stored`),
    )
    .with('queued', (query) =>
      query
        .insertInto('outbox')
        .columns(['lead_id', 'kind', 'recipient', 'message_id', 'priority', 'queued_at', 'due_at'])
        .expression(sql`select id, kind, recipient, "messageId", priority, created_at, created_at
          from stored, json_to_recordset(cast(${emails} as json))
            as email (kind text, recipient text, "messageId" text, priority integer)`),
    )
    .selectFrom('stored')
    .select('id'),
)

const toRow = (lead: NewLead): Row => ({
  id: lead.id,
  reference: lead.reference,
  created_at: lead.createdAt.toISOString(),
  first_name: lead.firstName,
  last_name: lead.lastName,
  email: lead.email,
  phone: lead.phone,
  company: lead.company,
  website: lead.website,
  budget: lead.budget,
  message: lead.message,
  idempotency_key: lead.idempotencyKey,
  content_hash: lead.contentHash,
  spam_score: lead.spam.score,
  spam_reasons: JSON.stringify(lead.spam.reasons),
  due_at: lead.dueAt.toISOString(),
  sort_key: lead.dueAt.toISOString(),
  source: JSON.stringify(lead.source),
})
