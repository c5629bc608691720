import type { Database } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'

/** The visitor's address; throws a Problem if there is no such lead. */
export async function readAddress(db: Database, reference: string): Promise<string> {
  const lead = await db
    .selectFrom('leads')
    .select('email')
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!lead) throw new Problem('not_found', `There is no lead ${reference}. It may have been erased.`)
  return lead.email
}
