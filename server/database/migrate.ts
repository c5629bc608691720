import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import * as leadsAndOutbox from './migrations/001-leads-and-outbox.ts'
import * as spamSignals from './migrations/002-spam-signals.ts'

/** In the order in which they run; the names are stored, so they never change. */
const migrations: Record<string, Migration> = {
  '001-leads-and-outbox': leadsAndOutbox,
  '002-spam-signals': spamSignals,
}

/** The steps from an empty file to the newest shape. */
export const migrationNames: readonly string[] = Object.keys(migrations)

/** Brings the database to the newest shape, or to an older one. All or nothing: a failed step leaves it as it was. */
export async function migrate<Schema>(db: Kysely<Schema>, upTo = migrationNames.at(-1) ?? ''): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateTo(upTo)
  if (error) throw error
}
