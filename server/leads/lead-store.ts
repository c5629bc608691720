import type { Insertable, Selectable } from 'kysely'
import { type ContactRequest, contactFieldNames } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/inbox/lead.ts'
import { cleanSource } from '#shared/lead-source.ts'
import { prepared } from '../database/prepared.ts'
import type { Database, Schema } from '../database/schema.ts'
import { fromColumns, toColumns } from './lead-fields.ts'
import { searchTextOf } from './search-text.ts'
import { parseReasons, type SpamVerdict } from './spam-score.ts'

export type Lead = ContactRequest & {
  id: string
  reference: string
  createdAt: Date
  /** When the promised reply is due. */
  dueAt: Date
  spam: SpamVerdict
  source: LeadSource
}
export type NewLead = Lead & {
  idempotencyKey: string | null
  contentHash: string
  /** Keyed hashes of the client's network and of the form token. */
  client: string
  formToken: string | null
}

const selectById = prepared((db, { id }: { id: string }) =>
  db.selectFrom('leads').selectAll().where('id', '=', id),
)

/**
 * A lead without anything that its visitor wrote. For emails that a mail server would refuse because of such text: the owner
 * reads it in the inbox.
 */
export const withoutWords = (lead: Lead): Lead => ({
  ...lead,
  ...Object.fromEntries(contactFieldNames.map((field) => [field, ''])),
  ...{ firstName: 'A', lastName: 'visitor', budget: lead.budget },
  spam: { score: lead.spam.score, reasons: [] },
  source: {},
})

/** Whether a lead has its visitor's text: see `withoutWords`. A request always has a message. */
export const hasWords = ({ message }: Lead): boolean => message !== ''

export async function readLead(db: Database, id: string): Promise<Lead> {
  const { rows } = await selectById(db, { id })
  if (!rows[0]) throw new Error('The lead was erased.')
  return toLead(rows[0])
}

/** The leads with these references, by reference. Erased leads are missing. */
export async function readLeads(db: Database, references: readonly string[]): Promise<Map<string, Lead>> {
  if (references.length === 0) return new Map()
  const rows = await db.selectFrom('leads').selectAll().where('reference', 'in', references).execute()
  return new Map(rows.map((row) => [row.reference, toLead(row)]))
}

const insertRow = prepared((db, row: Insertable<Schema['leads']>) =>
  db
    .insertInto('leads')
    .values(row)
    .onConflict((conflict) => conflict.column('reference').doNothing()),
)

const insertText = prepared((db, row: Schema['lead_texts']) => db.insertInto('lead_texts').values(row))

/** Stores a lead, and the text by which searches find it. Returns false if its reference is already in use. */
export async function insertLead(transaction: Database, lead: NewLead): Promise<boolean> {
  const dueAt = lead.dueAt.toISOString()
  const row = {
    id: lead.id,
    reference: lead.reference,
    created_at: lead.createdAt.toISOString(),
    ...toColumns(lead),
    idempotency_key: lead.idempotencyKey,
    content_hash: lead.contentHash,
    client: lead.client,
    form_token: lead.formToken,
    spam_score: lead.spam.score,
    spam_reasons: JSON.stringify(lead.spam.reasons),
    due_at: dueAt,
    sort_key: dueAt,
    source: JSON.stringify(lead.source),
  }
  const { numAffectedRows } = await insertRow(transaction, row)
  if (numAffectedRows !== 1n) return false
  await insertText(transaction, { lead_id: lead.id, ...searchTextOf(row) })
  return true
}

/** Reads a stored source. */
export const parseSource = (stored: string): LeadSource => cleanSource(JSON.parse(stored))

export function toLead(row: Selectable<Schema['leads']>): Lead {
  return {
    id: row.id,
    reference: row.reference,
    createdAt: new Date(row.created_at),
    dueAt: new Date(row.due_at),
    ...fromColumns(row),
    spam: { score: row.spam_score, reasons: parseReasons(row.spam_reasons) },
    source: parseSource(row.source),
  }
}
