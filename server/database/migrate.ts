import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import * as first from './migrations/001-first.ts'

type Migrations = Record<string, Migration>

// The names are stored in databases, so never change them.
export const migrations: Migrations = { '001-first': first }

/** Runs the migrations that the database lacks, in one transaction. Kysely locks the database, so other replicas wait. */
export async function migrate<Schema>(db: Kysely<Schema>, known = migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/** How the schema of a database compares with this program's. `foreign`: it is another program's database. */
export type SchemaAge = 'foreign' | 'empty' | 'older' | 'current' | 'newer'

/** Compares the names of the applied migrations with the known ones. */
export function compareAge(applied: readonly string[], known = Object.keys(migrations)): SchemaAge {
  if (applied.length === 0) return 'empty'
  if (applied.some((name) => !known.includes(name))) return 'newer'
  return applied.length === known.length ? 'current' : 'older'
}

/** The database is of another version of the program, or of another program. */
export class OtherVersion extends Error {
  override name = 'OtherVersion'
}

/** Throws `OtherVersion` unless the program can use the database. A server may open an empty or older one: it migrates it. */
export function assertAge(age: SchemaAge, what: string, { mayBeOlder = false } = {}) {
  if (age === 'newer')
    throw new OtherVersion(`${what} was written by a newer version of this program. Start that version.`)
  if (age === 'foreign')
    throw new OtherVersion(
      `${what} has tables of another program. It was not changed: use an empty database, or move this one away.`,
    )
  if (age !== 'current' && !mayBeOlder)
    throw new OtherVersion(`${what} has an older schema. Start the server once to bring it up to date.`)
}
