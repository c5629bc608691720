import type { Database } from '../database/schema.ts'
import { CommandError, exitCodes } from './run-command.ts'

/** The current version of a lead. A change includes this version, and fails if the lead has changed since. */
export async function versionOf(db: Database, reference: string): Promise<number> {
  const lead = await db
    .selectFrom('leads')
    .select('version')
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!lead) throw new CommandError(`There is no lead ${reference}.`, exitCodes.nothingDone)
  return lead.version
}
