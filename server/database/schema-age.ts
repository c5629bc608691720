import type Sqlite from 'better-sqlite3'
import { migrationNames } from './migrate.ts'

export type SchemaAge = 'empty' | 'older' | 'current' | 'newer'

/** How the shape of a database compares with the one that this program knows. */
export function schemaAge(sqlite: Sqlite.Database): SchemaAge {
  const isTable = sqlite.prepare("select 1 from sqlite_master where name = 'kysely_migration'").get()
  const applied = isTable ? sqlite.prepare('select name from kysely_migration').pluck().all() : []
  if (applied.length === 0) return 'empty'
  if (applied.some((name) => !migrationNames.includes(String(name)))) return 'newer'
  return applied.length === migrationNames.length ? 'current' : 'older'
}

/** The database is of another version than the program; the message says what to do. */
export class OtherVersion extends Error {
  override name = 'OtherVersion'
}

/** Throws where the database is newer than the program, or else where it is older and `mayBeOlder` is not given. */
export function assertAge(sqlite: Sqlite.Database, { mayBeOlder = false } = {}) {
  const age = schemaAge(sqlite)
  if (age === 'newer')
    throw new OtherVersion('leads.db was written by a newer version of this program. Start that version.')
  if (age !== 'current' && !mayBeOlder)
    throw new OtherVersion('leads.db has an older shape. Start the server once: it brings it up to date.')
}
