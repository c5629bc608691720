import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { OperatorError } from '../errors/error-facts.ts'
import * as first from './migrations/001-first.ts'
import * as messages from './migrations/002-messages.ts'
import * as lists from './migrations/003-lists.ts'
import * as results from './migrations/004-results.ts'
import * as files from './migrations/005-files.ts'
import * as oneForm from './migrations/006-one-form.ts'

type Migrations = Record<string, Migration>

// The names are stored in databases, so never change them.
export const migrations: Migrations = {
  '001-first': first,
  '002-messages': messages,
  '003-lists': lists,
  '004-results': results,
  '005-files': files,
  '006-one-form': oneForm,
}

/**
 * Runs the migrations that the database lacks, in one transaction. Kysely locks the database, so
 * other replicas wait.
 */
export async function migrate<Schema>(db: Kysely<Schema>, known = migrations): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => known } })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

/**
 * How the schema of a database compares with this program's. `older`: the database is empty or
 * lacks migrations. `foreign`: it belongs to a newer version of this program, or to another
 * program.
 */
export type SchemaAge = 'older' | 'current' | 'foreign'

/**
 * Compares the names of the applied migrations with the known ones. In a database without
 * migrations, pass its tables.
 */
export function compareAge(applied: readonly string[]): SchemaAge {
  const known = Object.keys(migrations)
  if (applied.some((name) => !known.includes(name))) return 'foreign'
  return applied.length === known.length ? 'current' : 'older'
}

/**
 * Throws unless the program can use the database. A server may open an older one: it migrates it.
 */
export function assertAge(age: SchemaAge, what: string, { mayBeOlder = false } = {}) {
  if (age === 'foreign')
    throw new OperatorError(
      `${what} belongs to a newer version of this program, or to another program. It was not changed: start that version, or use an empty database.`,
    )
  if (age === 'older' && !mayBeOlder)
    throw new OperatorError(
      `${what} is empty or from an older version. Start the server once: it updates it.`,
    )
}
