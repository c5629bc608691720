import type { Insertable } from 'kysely'
import type { Database, Schema } from '../../database/schema.ts'
import { createReference } from '../../leads/reference.ts'
import { searchTextOf } from '../../leads/search-text.ts'
import { samplePlan } from './sample-plan.ts'

// The number of leads stored so far. IDs contain it, so that they sort by age, like real ones.
let stored = 0

type Row = Insertable<Schema['leads']>

/** Stores a lead with `changes` and returns its row. */
export async function storeLead(db: Database, changes: Partial<Row> = {}): Promise<Row> {
  const due = changes.due_at ?? '2026-03-02T18:00:00.000Z'
  const lead: Row = {
    id: `lead-${String(++stored).padStart(9, '0')}`,
    reference: createReference(),
    created_at: '2026-03-02T14:00:00.000Z',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    phone: '(312) 555-0199',
    company: 'Analytical Roofing',
    website: 'https://analytical.example',
    budget: samplePlan.id,
    message: 'We need a new site.\nWhen can you start?',
    idempotency_key: null,
    content_hash: '',
    spam_score: 0,
    spam_reasons: '[]',
    source: '{}',
    due_at: due,
    sort_key: due,
    ...changes,
  }
  await db.insertInto('leads').values(lead).execute()
  const text = { lead_id: lead.id, ...searchTextOf(lead) }
  await db.insertInto('lead_texts').values(text).execute()
  return lead
}

/** Stores leads, oldest first. */
export async function storeLeads(db: Database, ...leads: Partial<Row>[]): Promise<void> {
  for (const changes of leads) await storeLead(db, changes)
}
