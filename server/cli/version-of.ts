import type { Database } from '../database/schema.ts'
import { CommandError, exitCodes } from './run-command.ts'

/** Reads the current version of a lead. A change must include it, and is rejected if the lead has changed since then. */
export async function versionOf(db: Database, reference: string): Promise<number> {
  const lead = await db
    .selectFrom('leads')
    .select('version')
    .where('reference', '=', reference)
    .executeTakeFirst()
  if (!lead) throw new CommandError(`There is no lead ${reference}.`, exitCodes.nothingDone)
  return lead.version
}
