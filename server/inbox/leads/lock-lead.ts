import type { Selectable } from 'kysely'
import { lockNames } from '../../database/differences.ts'
import type { Database, Schema } from '../../database/schema.ts'
import { Problem } from '../../problem.ts'

export type StoredLead = Selectable<Schema['leads']>

/** Reads a lead and blocks other owners' changes until the transaction ends. Throws a Problem if there is no such lead. */
export async function lockLead(transaction: Database, reference: string): Promise<StoredLead> {
  await lockNames(transaction, [`lead ${reference}`])
  const lead = await transaction
    .selectFrom('leads')
    .selectAll()
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!lead) throw new Problem('not_found', `There is no lead ${reference}. It may have been erased.`)
  return lead
}
