import { type QueryExecutorProvider, sql } from 'kysely'
import { isShared } from './differences.ts'
import type { Database } from './schema.ts'

const FEW_LEADS = 1_000

/**
 * Updates PostgreSQL's statistics after many leads were written. Otherwise, each list takes a second instead of a
 * millisecond until autovacuum updates them.
 */
export async function analyzeLeads(
  db: QueryExecutorProvider & Pick<Database, 'introspection'>,
  leads: number,
): Promise<void> {
  // With the statistics of a small table, PostgreSQL would check the foreign key of each new email by reading all leads.
  if (isShared(db) && leads > FEW_LEADS) await sql`analyze leads`.execute(db)
}
