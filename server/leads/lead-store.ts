import { type Insertable, type Selectable, sql } from 'kysely'
import type { ContactRequest } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/inbox/lead.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import { parseSource } from './lead-source.ts'
import { parseReasons, type SpamVerdict } from './spam-score.ts'

// Limits the time to score a message when many messages have the same beginning.
const MAX_REPEATS_READ = 200

export type Lead = ContactRequest & {
  id: string
  reference: string
  createdAt: Date
  /** When the promised reply is due. */
  dueAt: Date
  spam: SpamVerdict
  source: LeadSource
}
export type LeadStore = ReturnType<typeof createLeadStore>
export type NewLead = Lead & {
  idempotencyKey: string | null
  contentHash: string
}

const insertLead = prepared((db, lead: Insertable<Schema['leads']>) =>
  db
    .insertInto('leads')
    .values(lead)
    .onConflict((conflict) => conflict.column('reference').doNothing()),
)

const selectByKey = prepared((db, { key }: { key: string }) =>
  db
    .selectFrom('leads')
    .select(['reference', 'content_hash as contentHash'])
    .where('idempotency_key', '=', key),
)

const selectById = prepared((db, { id }: { id: string }) =>
  db.selectFrom('leads').selectAll().where('id', '=', id),
)

const selectDuplicate = prepared(
  (db, { hash, after, until }: { hash: string; after: string; until: string }) =>
    db
      .selectFrom('leads')
      .select('reference')
      .where('content_hash', '=', hash)
      .where('created_at', '>', after)
      .where('created_at', '<=', until)
      .orderBy('created_at', 'desc')
      .limit(1),
)

const selectSimilar = prepared((db, { message, since }: { message: string; since: string }) =>
  db
    .selectFrom('leads')
    .select(['email', sql<boolean>`message = ${message}`.as('isSame')])
    // This must be the expression of the index `leads_by_message`: otherwise, the database doesn't use the index.
    .where(sql<boolean>`substr(message, 1, 64) = substr(${message}, 1, 64)`)
    .where('created_at', '>', since)
    .orderBy('created_at', 'desc')
    .limit(MAX_REPEATS_READ),
)

export function createLeadStore(db: Database) {
  return {
    /** Stores a lead. Returns false if its reference is already in use. */
    async insert(lead: NewLead): Promise<boolean> {
      const { numAffectedRows } = await insertLead(db, {
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
      return numAffectedRows === 1n
    },

    async findByKey(key: string) {
      const { rows } = await selectByKey(db, { key })
      return rows[0]
    },

    /** The newest lead with the same content in this period. */
    async findDuplicate(hash: string, after: Date, until: Date) {
      const { rows } = await selectDuplicate(db, {
        hash,
        after: after.toISOString(),
        until: until.toISOString(),
      })
      return rows[0]
    },

    /** How many other addresses have sent this message since `since`, among the newest leads that begin the same way. */
    async countOtherSenders({ message, email }: ContactRequest, since: Date): Promise<number> {
      const { rows } = await selectSimilar(db, { message, since: since.toISOString() })
      const senders = new Set(rows.filter(({ isSame }) => isSame).map((lead) => lead.email))
      senders.delete(email)
      return senders.size
    },

    /** The leads with these references, by reference. Erased leads are missing. */
    async withReferences(references: readonly string[]): Promise<Map<string, Lead>> {
      if (references.length === 0) return new Map()
      const rows = await db.selectFrom('leads').selectAll().where('reference', 'in', references).execute()
      return new Map(rows.map((row) => [row.reference, toLead(row)]))
    },

    async get(id: string): Promise<Lead> {
      const { rows } = await selectById(db, { id })
      if (!rows[0]) throw new Error('The lead was erased.')
      return toLead(rows[0])
    },
  }
}

export function toLead(row: Selectable<Schema['leads']>): Lead {
  return {
    id: row.id,
    reference: row.reference,
    createdAt: new Date(row.created_at),
    dueAt: new Date(row.due_at),
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
    phone: row.phone,
    company: row.company,
    website: row.website,
    budget: row.budget,
    message: row.message,
    spam: { score: row.spam_score, reasons: parseReasons(row.spam_reasons) },
    source: parseSource(row.source),
  }
}
