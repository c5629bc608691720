import { type Insertable, type RawBuilder, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import { columnNames, columnsOf, jsonRows } from '../database/json-rows.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import type { NewEmail } from '../outbox/email.ts'
import { emailColumns, emailRows, emailsInsert, insertEmails } from '../outbox/enqueue.ts'
import { type AcceptedNames, acceptedColumns, acceptedInsert, insertAccepted } from './accepted-requests.ts'
import type { NewLead } from './lead-store.ts'
import { searchTextOf } from './search-text.ts'

/** A new lead, what it uses up, and its emails. */
export type Entry = { lead: NewLead; names: AcceptedNames; emails: NewEmail[] }

/**
 * Stores leads, counts them toward the limits of their clients, and queues their emails. Skips those whose reference is
 * already in use, and returns them.
 */
export async function storeLeads(db: Database, entries: readonly Entry[]): Promise<Entry[]> {
  if (entries.length === 0) return []
  const rows = toJson(entries)
  const insert = isShared(db) ? insertTogether : insertLeads
  const stored = new Set((await insert(db, rows)).rows.map(({ id }) => id))
  const isStored = ({ lead }: Entry) => stored.has(lead.id)
  if (!isShared(db)) {
    const storedRows = stored.size === entries.length ? rows : toJson(entries.filter(isStored))
    await insertTexts(db, storedRows)
    await insertAccepted(db, storedRows)
    await insertEmails(db, storedRows)
  }
  return entries.filter((entry) => !isStored(entry))
}

/** The rows to insert, as JSON arrays. */
type Rows = { leads: string; texts: string; accepted: string; emails: string }

const toJson = (entries: readonly Entry[]): Rows => ({
  leads: JSON.stringify(entries.map(({ lead }) => toRow(lead))),
  texts: JSON.stringify(entries.map(({ lead }) => ({ lead_id: lead.id, ...searchTextOf(toRow(lead)) }))),
  accepted: JSON.stringify(
    entries.flatMap(({ lead, names }) =>
      Object.values(names)
        .filter((name) => name !== null)
        .map((name) => ({ lead_id: lead.id, name, at: lead.createdAt.toISOString() })),
    ),
  ),
  emails: JSON.stringify(entries.flatMap(({ lead, emails }) => emailRows(emails, lead.createdAt))),
})
type Insert = Pick<Database, 'insertInto'>

const leadsInsert = (query: Insert, rows: RawBuilder<unknown>) =>
  query
    .insertInto('leads')
    .columns(columnsOf(leadColumns))
    // Without `where true`, SQLite would parse `on conflict` as part of a join.
    .expression(sql`select ${columnNames(leadColumns)} from ${rows} as lead where true`)
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returning('id')

const insertLeads = prepared((db, { leads }: Rows) => leadsInsert(db, jsonRows(db, leads, leadColumns)))

const textColumns = { lead_id: 'text', parts: 'text', words: 'text' } as const

const textsInsert = (query: Insert, rows: RawBuilder<unknown>, condition = sql`true`) =>
  query
    .insertInto('lead_texts')
    .columns(columnsOf(textColumns))
    .expression(sql`select ${columnNames(textColumns)} from ${rows} as text where ${condition}`)

const insertTexts = prepared((db, { texts }: { texts: string }) =>
  textsInsert(db, jsonRows(db, texts, textColumns)),
)

// One statement for PostgreSQL, because each one is a round trip. SQLite can't insert into several tables at once.
const insertTogether = prepared((db, { leads, texts, accepted, emails }: Rows) => {
  const isStored = sql`lead_id in (select id from stored)`
  return db
    .with('stored', (query) => leadsInsert(query, jsonRows(db, leads, leadColumns)))
    .with('searchable', (query) => textsInsert(query, jsonRows(db, texts, textColumns), isStored))
    .with('counted', (query) => acceptedInsert(query, jsonRows(db, accepted, acceptedColumns), isStored))
    .with('queued', (query) => emailsInsert(query, jsonRows(db, emails, emailColumns), isStored))
    .selectFrom('stored')
    .select('id')
})

const leadColumns = {
  id: 'text',
  reference: 'text',
  created_at: 'text',
  first_name: 'text',
  last_name: 'text',
  email: 'text',
  phone: 'text',
  company: 'text',
  website: 'text',
  budget: 'text',
  message: 'text',
  idempotency_key: 'text',
  content_hash: 'text',
  spam_score: 'integer',
  spam_reasons: 'text',
  due_at: 'text',
  sort_key: 'text',
  source: 'text',
} as const
type LeadRow = Pick<Insertable<Schema['leads']>, keyof typeof leadColumns>

const toRow = (lead: NewLead): LeadRow => ({
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
