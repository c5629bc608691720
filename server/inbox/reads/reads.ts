import type { Database } from '../../database/schema.ts'
import { listLeads } from './list-leads.ts'
import { readLead } from './read-lead.ts'
import { readSummary } from './read-summary.ts'
import { readWeek } from './read-week.ts'
import { searchLeads } from './search-leads.ts'

/** Everything that the inbox reads. Input and output must be JSON, because on SQLite, a read runs in another process. */
export const reads = {
  list: listLeads,
  search: searchLeads,
  lead: readLead,
  summary: readSummary,
  week: readWeek,
}

type Reads = typeof reads
export type ReadName = keyof Reads
export type Input<Name extends ReadName> = Parameters<Reads[Name]>[1]
export type Output<Name extends ReadName> = Awaited<ReturnType<Reads[Name]>>

export const runRead = <Name extends ReadName>(
  db: Database,
  name: Name,
  input: Input<Name>,
): Promise<Output<Name>> =>
  (reads[name] as (db: Database, input: Input<Name>) => Promise<Output<Name>>)(db, input)
