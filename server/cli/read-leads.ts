import { sql } from 'kysely'
import type { Database } from '../database/schema.ts'

/** A row of the view `lead_overview`. */
export type LeadOverview = {
  created_at: string
  reference: string
  name: string
  email: string
  phone: string
  company: string
  website: string
  budget: string
  message: string
  delivery: 'no mail' | 'failed' | 'waiting' | 'delivered'
  attempts: number
  delivered_at: string | null
  spam_score: number
  /** In words, with semicolons between. */
  spam_reasons: string
}
export type Attempt = {
  recipient: string
  at: string
  outcome: string
  smtp_code: number | null
  response: string
}
export type LeadRecord = LeadOverview & { flight: Attempt[] }

/** The newest leads first. */
export async function listLeads(db: Database, limit: number): Promise<LeadOverview[]> {
  const { rows } = await sql<LeadOverview>`select * from lead_overview limit ${limit}`.execute(db)
  return rows
}

/** One lead with every attempt to mail it, in the order in which they ended. */
export async function findLead(db: Database, reference: string): Promise<LeadRecord | undefined> {
  const { rows } =
    await sql<LeadOverview>`select * from lead_overview where reference = ${reference}`.execute(db)
  if (!rows[0]) return undefined
  const flight = await db
    .selectFrom('outbox_attempts')
    .innerJoin('outbox', 'outbox.id', 'outbox_attempts.outbox_id')
    .innerJoin('leads', 'leads.id', 'outbox.lead_id')
    .where('leads.reference', '=', reference)
    .orderBy('outbox_attempts.at')
    .select(['recipient', 'at', 'outcome', 'smtp_code', 'response'])
    .execute()
  return { ...rows[0], flight }
}
