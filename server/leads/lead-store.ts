import type { Selectable } from 'kysely'
import { type ContactRequest, contactFieldNames, contactFields } from '#shared/contact-request.ts'
import type { LeadSource } from '#shared/lead-source.ts'
import { cleanSource } from '#shared/lead-source.ts'
import type { Database, LeadFields, Schema } from '../database/schema.ts'
import { isSuspect, type SpamVerdict } from '../spam/spam-score.ts'

export type Lead = ContactRequest & {
  id: string
  reference: string
  createdAt: Date
  /** When the promised reply is due. */
  dueAt: Date
  /** When the first one was, if somebody has written again since. */
  firstDueAt?: Date
  spam: SpamVerdict
  source: LeadSource
}

const columns = contactFieldNames.map((field) => [field, contactFields[field].column] as const)

/** What a visitor sent, as columns of the table `leads`. */
export const toColumns = (request: ContactRequest) =>
  Object.fromEntries(columns.map(([field, column]) => [column, request[field]])) as LeadFields

/** What a visitor sent, from the columns of the table `leads`. */
export const fromColumns = (row: LeadFields) =>
  Object.fromEntries(columns.map(([field, column]) => [field, row[column]])) as ContactRequest

/**
 * A lead without anything that its visitor wrote. For emails that a mail server would refuse
 * because of such text: the owner reads it in the inbox.
 */
export const withoutWords = (lead: Lead): Lead => ({
  ...lead,
  ...Object.fromEntries(contactFieldNames.map((field) => [field, ''])),
  firstName: 'A',
  lastName: 'visitor',
  budget: lead.budget,
  spam: { ...lead.spam, reasons: [] },
  source: {},
})

/** Whether a lead has its visitor's text: see `withoutWords`. A request always has a message. */
export const hasWords = ({ message }: Lead): boolean => message !== ''

/** Reads a lead; undefined if it was erased. */
export async function readLead(db: Database, id: string): Promise<Lead | undefined> {
  const row = await db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toLead(row)
}

/** Reads a stored source. */
export const parseSource = (stored: string): LeadSource => cleanSource(JSON.parse(stored))

/** Reads stored reasons for a spam score. */
export const parseReasons = (stored: string): string[] => JSON.parse(stored)

type Judged = Pick<Selectable<Schema['leads']>, 'state' | 'spam_score' | 'verdict'>

/** Whether a stored lead is open, looks like spam, and has not been judged by an owner. */
export const isOpenSuspect = ({ state, spam_score, verdict }: Judged): boolean =>
  state === 'open' && isSuspect(spam_score) && verdict === null

export function toLead(row: Selectable<Schema['leads']>): Lead {
  return {
    id: row.id,
    reference: row.reference,
    createdAt: new Date(row.created_at),
    dueAt: new Date(row.due_at),
    firstDueAt: new Date(row.first_due_at ?? row.due_at),
    ...fromColumns(row),
    spam: {
      score: row.spam_score,
      reasons: parseReasons(row.spam_reasons),
      isSuspect: row.verdict ? row.verdict === 'spam' : isSuspect(row.spam_score),
    },
    source: parseSource(row.source),
  }
}
