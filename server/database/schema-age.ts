import type Sqlite from 'better-sqlite3'
import { sqliteMigrationNames } from './migrate.ts'

export type SchemaAge = 'empty' | 'older' | 'current' | 'newer'

/** Compares the schema of an SQLite database with this program's. */
export function schemaAge(sqlite: Sqlite.Database): SchemaAge {
  const isTable = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get()
  const applied = isTable ? sqlite.prepare('select name from kysely_migration').pluck().all() : []
  return compareAge(applied.map(String), sqliteMigrationNames)
}

/** Compares the names of the applied migrations with the known ones. */
export function compareAge(applied: readonly string[], known: readonly string[]): SchemaAge {
  if (applied.length === 0) return 'empty'
  if (applied.some((name) => !known.includes(name))) return 'newer'
  return applied.length === known.length ? 'current' : 'older'
}

/** Another version of the program wrote the database. */
export class OtherVersion extends Error {
  override name = 'OtherVersion'
}

/** Throws `OtherVersion` if the database is newer than the program or, unless `mayBeOlder`, if it is older or empty. */
export function assertAge(age: SchemaAge, what: string, { mayBeOlder = false } = {}) {
  if (age === 'newer')
    throw new OtherVersion(`${what} was written by a newer version of this program. Start that version.`)
  if (age !== 'current' && !mayBeOlder)
    throw new OtherVersion(`${what} has an older schema. Start the server once to bring it up to date.`)
}
