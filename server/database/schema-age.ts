import type Sqlite from 'better-sqlite3'
import { sqliteMigrationNames } from './migrate.ts'

export type SchemaAge = 'empty' | 'older' | 'current' | 'newer'

/** How the shape of an SQLite database compares with the one that this program knows. */
export function schemaAge(sqlite: Sqlite.Database): SchemaAge {
  const isTable = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get()
  const applied = isTable ? sqlite.prepare('select name from kysely_migration').pluck().all() : []
  return compareAge(applied.map(String), sqliteMigrationNames)
}

/** The same by the names of the steps that it has seen and of those that the program knows. */
export function compareAge(applied: readonly string[], known: readonly string[]): SchemaAge {
  if (applied.length === 0) return 'empty'
  if (applied.some((name) => !known.includes(name))) return 'newer'
  return applied.length === known.length ? 'current' : 'older'
}

/** The database is of another version than the program; the message says what to do. */
export class OtherVersion extends Error {
  override name = 'OtherVersion'
}

/** Throws where the database is newer than the program, or else where it is older and `mayBeOlder` is not given. */
export function assertAge(age: SchemaAge, what: string, { mayBeOlder = false } = {}) {
  if (age === 'newer')
    throw new OtherVersion(`${what} was written by a newer version of this program. Start that version.`)
  if (age !== 'current' && !mayBeOlder)
    throw new OtherVersion(
      `${what} has an older shape. Start the server on it once: that brings it up to date.`,
    )
}
