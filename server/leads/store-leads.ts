import { type Insertable, sql } from 'kysely'
import { isShared } from '../database/differences.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import type { NewEmail } from '../outbox/email.ts'
import { emailColumns, enqueue, toEmailRow } from '../outbox/enqueue.ts'
import { insertAccepted } from './accepted-requests.ts'
import type { NewLead } from './lead-store.ts'

/** A new lead, the client whose limit it counts toward, and its emails. */
export type Entry = { lead: NewLead; client: string; emails: NewEmail[] }

/**
 * Stores leads, counts them toward the limits of their clients, and queues their emails. Skips leads whose reference is
 * already in use, and returns their entries.
 */
export async function storeLeads(db: Database, entries: readonly Entry[]): Promise<Entry[]> {
  if (entries.length === 0) return []
  if (isShared(db)) return storeTogether(db, entries)
  const skipped: Entry[] = []
  for (const entry of entries) if (!(await storeOne(db, entry))) skipped.push(entry)
  return skipped
}

async function storeOne(db: Database, { lead, client, emails }: Entry): Promise<boolean> {
  const { numAffectedRows } = await insertLead(db, toRow(lead))
  if (numAffectedRows === 0n) return false
  await insertAccepted(db, { client, at: lead.createdAt.toISOString() })
  await enqueue(db, emails, lead.createdAt)
  return true
}

async function storeTogether(db: Database, entries: readonly Entry[]): Promise<Entry[]> {
  const { rows } = await insertAll(db, {
    leads: JSON.stringify(entries.map(({ lead, client }) => ({ ...toRow(lead), client }))),
    emails: JSON.stringify(
      entries.flatMap(({ lead, emails }) => emails.map((email) => toEmailRow(email, lead.createdAt))),
    ),
  })
  const stored = new Set(rows.map(({ id }) => id))
  return entries.filter(({ lead }) => !stored.has(lead.id))
}

const insertLead = prepared((db, lead: LeadRow) =>
  db
    .insertInto('leads')
    .values(lead)
    .onConflict((conflict) => conflict.column('reference').doNothing()),
)

// One statement for PostgreSQL, because each one is a round trip. SQLite can't insert into several tables at once.
const insertAll = prepared((db, { leads, emails }: { leads: string; emails: string }) =>
  db
    .with('stored', (query) =>
      query
        .insertInto('leads')
        .columns(leadColumns)
        .expression(
          sql`select ${columnList(leadColumns)} from json_populate_recordset(null::leads, cast(${leads} as json))`,
        )
        .onConflict((conflict) => conflict.column('reference').doNothing())
        .returning(['id', 'created_at']),
    )
    .with('counted', (query) =>
      query
        .insertInto('accepted_requests')
        .columns(['client', 'at'])
        .expression(
          sql`select client, created_at from stored
            join json_to_recordset(cast(${leads} as json)) as entry (id text, client text) using (id)`,
        ),
    )
    .with('queued', (query) =>
      query
        .insertInto('outbox')
        .columns(emailColumns)
        .expression(
          sql`select ${columnList(emailColumns)}
            from json_populate_recordset(null::outbox, cast(${emails} as json)) with ordinality
            where lead_id in (select id from stored) order by ordinality`,
        ),
    )
    .selectFrom('stored')
    .select('id'),
)

const columnList = (columns: readonly string[]) => sql.join(columns.map((column) => sql.ref(column)))

const leadColumns = [
  'id',
  'reference',
  'created_at',
  'first_name',
  'last_name',
  'email',
  'phone',
  'company',
  'website',
  'budget',
  'message',
  'idempotency_key',
  'content_hash',
  'spam_score',
  'spam_reasons',
  'due_at',
  'sort_key',
  'source',
] as const satisfies (keyof Schema['leads'])[]
type LeadRow = Pick<Insertable<Schema['leads']>, (typeof leadColumns)[number]>

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
